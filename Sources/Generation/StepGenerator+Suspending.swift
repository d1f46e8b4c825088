import Determinism
package import SimulatedCoreData
package import Vocabulary

/// Queues that are suspended for a while.
extension StepGenerator {
  /// The context's own queue, or one of the app, mostly resumed a few steps later.
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

  /// While a queue is suspended: as a block, mostly, what the program's own thread would wait for.
  /// It is the one that resumes.
  mutating func sparingTheProgram(
    _ step: AddressedStep, in world: World, _ choices: inout Choices
  ) -> AddressedStep {
    switch step.step {
    case .perform, .performBackgroundTask, .async, .suspend, .resume, .kill, .sleep, .setFlag,
      .enter, .leave, .notify:
      return step
    default:
      // Whatever it is about, what it sets off may lead to a suspended queue.
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

  /// A program that suspends nothing resumes nothing: what is suspended is the design's concern.
  private var mayResume: Bool { !swarm.stepFilter.without.contains(.suspend) }

  /// Leaves groups that were entered last and resumes what is suspended: what then does not run is
  /// not the program's doing.
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
