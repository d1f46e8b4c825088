package import SimulatedDispatch
package import Vocabulary

/// Steps of the program that nothing can come between: no other lane can run, and every queue that
/// they need is free. Their turns are taken together and without frames, at a fraction of the cost.
///
/// Only the cost is different. What an action sets off (calls of observers, blocks on other queues,
/// time that passes) is left to turns: the program's lane gets the frames that it would have.
extension World {
  /// A step that is taken so, and where it has come to.
  package struct LoneStep {
    package let queue: QueueID
    /// What is performed next, or was last: of a save, the phase.
    package fileprivate(set) var action: Action
    /// Which queues above the context the action needs.
    fileprivate var reach: Reach
    fileprivate var isPerformed = false
    fileprivate var continues = true
  }

  /// Nil if something could come between, or if the step does not begin as an action.
  package func loneStep(_ step: AddressedStep) -> LoneStep? {
    let queue = queue(of: step.context)
    guard step.step.isAction, dispatcher.runnableCount == 0, dispatcher.isFree(queue) else {
      return nil
    }
    let action = action(for: step, delivered: nil)
    return LoneStep(queue: queue, action: action, reach: reach(of: action))
  }

  /// The queues above the context that the action needs, nearest first.
  package func queuesNeeded(for step: LoneStep) -> [QueueID] {
    queues(within: step.reach, above: step.action.context)
  }

  /// On which queues the turns are that take those the action needs.
  package func queuesOfTurns(of step: LoneStep) -> QueueSet {
    queuesOfTurn(of: step.action, reaching: step.reach)
  }

  /// Whether no other lane can run by now.
  package var isStillAlone: Bool { dispatcher.runnableCount == 0 }

  /// Takes the queue of the context.
  package mutating func begin(_ step: borrowing LoneStep) {
    dispatcher.noteRan(driver)
    take(step.queue)
  }

  /// Takes the queues that the action needs; false, and nothing happens, if another lane has one.
  package mutating func take(_ needs: [QueueID]) -> Bool {
    for queue in needs where !dispatcher.isFree(queue) && !dispatcher.owns(driver, queue) {
      return false
    }
    for queue in needs { take(queue) }
    return true
  }

  private mutating func take(_ queue: QueueID) {
    let acquisition = dispatcher.acquire(queue, for: driver)
    assert(acquisition == .granted || acquisition == .reentrant, "a lone step has to wait")
  }

  /// Performs the action. False if what it set off is left to turns, the end of `step` included.
  package mutating func perform(_ lone: inout LoneStep, of step: AddressedStep) -> Bool {
    let calls = performAction(lone.action, on: driver, &lone.continues)
    lone.isPerformed = true
    let duration = graph.result.storeAccess.duration(by: stack.timing)
    if calls.isEmpty, duration == 0, isStillAlone { return true }
    leaveToTurns(lone, of: step)
    beginDelivery(calls, on: driver)
    dispatcher.sleep(driver, milliseconds: duration)
    return false
  }

  /// Gives the queues back that the action needed. Whether the step goes on: a save has phases.
  package mutating func endAction(of step: inout LoneStep) -> Bool {
    if step.reach != .here {
      for queue in queuesNeeded(for: step).reversed() { dispatcher.release(queue, by: driver) }
    }
    step.isPerformed = false
    guard step.continues, let next = nextPhase(after: step.action) else { return false }
    step.reach = reach(of: next)
    step.action = next
    return true
  }

  package mutating func end(_ step: borrowing LoneStep) {
    dispatcher.release(step.queue, by: driver)
  }

  /// Gives the program's lane the frames of `step`, before or after its action.
  package mutating func leaveToTurns(_ lone: LoneStep, of step: AddressedStep) {
    let count = queueCount(within: lone.reach, above: lone.action.context)
    var operation = Frame.Operation(work(lone.action, reach: lone.reach))
    operation.isPerformed = lone.isPerformed
    operation.takenCount = lone.isPerformed ? count : 0
    operation.continues = lone.continues
    leaveEndToTurns(of: step)
    dispatcher.push(.operation(operation), on: driver)
  }

  /// Likewise, once its last action is over.
  package mutating func leaveEndToTurns(of step: AddressedStep) {
    var block = Frame.Block(plan(of: step.context, [step], within: nil))
    dispatcher.push(.wait(block, hasQueue: true), on: driver)
    block.next = 1
    dispatcher.push(.block(block), on: driver)
  }
}

extension Step {
  /// Whether it is an operation on its lane wherever it is performed, and neither lets go of its
  /// context nor has blocks.
  fileprivate var isAction: Bool {
    switch self {
    case .perform, .performAndWait, .performBackgroundTask, .directly, .async, .sync, .when,
      .trying,
      .call,
      .tick, .sleep, .suspend, .resume, .setFlag, .enter, .leave, .wait, .notify, .kill, .discard:
      false
    default: true
    }
  }
}
