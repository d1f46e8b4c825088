import Determinism
package import SimulatedCoreData
package import Vocabulary

/// Suspends queues for a while.
extension StepGenerator {
  /// Suspends the context's queue or an app-defined queue. Mostly resumes it a few steps later.
  mutating func suspend(_ context: ContextID, _ choices: inout Choices) -> Step {
    let hasOwn = !stack[context].isOnMainQueue
    let count = stack.queues.count + (hasOwn ? 1 : 0)
    let choice = choices.draw(below: count, from: .workload) - (hasOwn ? 1 : 0)
    let queue = choice < 0 ? nil : AppQueueID(choice)
    if !choices.chance(1, in: 16, from: .workload) {
      postpone(AddressedStep(context, .resume(queue)), &choices)
    }
    return .suspend(queue)
  }

  /// Keeps the program's thread from waiting while a queue is suspended, because that thread
  /// resumes queues. Mostly wraps the step in a block, and otherwise resumes the queue first.
  mutating func sparingTheProgram(
    _ step: AddressedStep, in world: World, _ choices: inout Choices
  ) -> AddressedStep {
    switch step.step {
    case .perform, .performBackgroundTask, .async, .suspend, .resume, .kill, .sleep, .setFlag,
      .enter, .leave, .notify:
      return step
    default:
      // Any step may set off work that waits for a suspended queue.
      let isConfined = stack[step.context].concurrencyType == .confinement
      let maySend = !isConfined && !swarm.stepFilter.without.contains(.perform)
      if !mayResume, !maySend { return step }
      guard !maySend || mayResume && choices.chance(1, in: 4, from: .workload) else {
        return AddressedStep(step.context, .perform([step]))
      }
      due.insert(step, at: 0)
      return world.resumption(of: world.suspendedQueues[0])
    }
  }

  /// A Boolean value that indicates whether the program may resume queues. A program that suspends
  /// no queues leaves suspended queues to the design.
  private var mayResume: Bool { !swarm.stepFilter.without.contains(.suspend) }

  /// Returns steps that leave entered groups and resume suspended queues. Work that still does not
  /// run is then not the program's fault.
  package func ending(in world: World) -> [AddressedStep] {
    let leaving = due.filter { $0.leavesGroup && isLeftToPrograms($0) }
    return !mayResume
      ? leaving
      : leaving
        + world.suspendedQueues.flatMap { queue in
          Array(repeating: world.resumption(of: queue), count: world.suspensionCount(of: queue))
        }
  }
}
