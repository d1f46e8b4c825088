package import Failures
import Determinism
package import Execution
package import Vocabulary

/// Checks that a failure on a part of a design occurs on the whole design. An observer or a setting
/// that an example omits may prevent the failure, so that the example would accuse the design
/// wrongly.
extension Program {
  /// The maximum number of schedules that are tried on the whole design, including the program's
  /// own. With more observers the scheduler has other choices.
  private static let scheduleCount = 20

  /// Returns a Boolean value that indicates whether the program fails as `target` on the whole of
  /// `design`. Adds the runs to `executions`.
  ///
  /// - Complexity: One run, or up to `scheduleCount` runs if the program is interleaved.
  package func fails(
    as target: FailureSignature, onTheWholeOf design: Stack, by runner: ProgramRunner,
    counting executions: inout Int
  ) -> Bool {
    if stack == design { return true }
    guard let whole = restored(to: design) else { return false }
    let runner = ProgramRunner(runner.configuration.judging(target))
    executions += 1
    if runner.run(whole).fails(as: target) { return true }
    return whole.failingSchedule(as: target, by: runner, counting: &executions) != nil
  }

  /// Returns the program with the first of some other schedules under which it fails, or nil if
  /// none is found.
  package func failingSchedule(
    as target: FailureSignature, by runner: ProgramRunner, counting executions: inout Int
  ) -> Program? {
    guard isInterleaved else { return nil }
    var generator = Generator(seed: 1)
    var program = self
    for number in 1..<Program.scheduleCount {
      program.schedule =
        number == 1 ? [] : (0..<100).map { _ in UInt32(generator.next(below: 4)) }
      executions += 1
      if runner.run(program).fails(as: target) { return program }
    }
    return nil
  }

  /// Returns the program on the whole of `design`. Returns nil if the program's stack has parts
  /// that the design lacks, or has other stores.
  package func restored(to design: Stack) -> Program? {
    let contexts = stack.contexts.map { context in
      design.contexts.firstIndex { $0.name == context.name }.map { ContextID($0) }
    }
    let queues = stack.queues.map { queue in
      design.queues.firstIndex { $0.name == queue.name }.map { AppQueueID($0) }
    }
    let flags = stack.flags.map { flag in
      design.flags.firstIndex { $0.name == flag.name }.map { FlagID($0) }
    }
    let groups = stack.groups.map { group in
      design.groups.firstIndex { $0.name == group.name }.map { GroupID($0) }
    }
    let idSets = stack.idSets.map { set in
      design.idSets.firstIndex { $0.name == set.name }.map { IDSetID($0) }
    }
    let entryPoints = stack.entryPoints.map { entryPoint in
      design.entryPoints.firstIndex { $0.name == entryPoint.name }.map { EntryPointID($0) }
    }
    guard stack.stores == design.stores, !contexts.contains(nil), !queues.contains(nil),
      !flags.contains(nil), !groups.contains(nil), !idSets.contains(nil),
      !entryPoints.contains(nil)
    else { return nil }
    func mapped(_ context: ContextID) -> ContextID { contexts[context.index] ?? context }
    func mapped(_ flag: FlagID) -> FlagID { flags[flag.index] ?? flag }
    var result = self
    result.stack = design
    var controllers: [ControllerID] = []
    for controller in stack.controllers {
      if let index = design.controllers.firstIndex(where: { $0.name == controller.name }) {
        controllers.append(ControllerID(index))
      } else {
        var own = controller
        own.context = mapped(controller.context)
        controllers.append(ControllerID(result.stack.controllers.count))
        result.stack.controllers.append(own)
      }
    }
    func renumbered(_ addressed: AddressedStep) -> AddressedStep {
      let step: Step =
        switch addressed.step {
        case .performFetch(let controller): .performFetch(controllers[controller.index])
        case .call(let entryPoint): .call(entryPoints[entryPoint.index] ?? entryPoint)
        case .suspend(let queue?): .suspend(queues[queue.index])
        case .resume(let queue?): .resume(queues[queue.index])
        case .async(let queue, let block): .async(queues[queue.index] ?? queue, block)
        case .sync(let queue, let block): .sync(queues[queue.index] ?? queue, block)
        case let other: other
        }
      guard let block = step.block else { return AddressedStep(addressed.context, step) }
      return AddressedStep(addressed.context, step.withBlock(block.map(renumbered)))
    }
    var mapping = StepMapping()
    (mapping.context, mapping.flag) = (mapped, mapped)
    mapping.group = { groups[$0.index] ?? $0 }
    mapping.idSet = { idSets[$0.index] ?? $0 }
    result.steps = steps.map { renumbered(mapping($0)) }
    return result
  }
}
