package import SimulatedDispatch
package import Vocabulary

/// Steps of the program that no other lane can interrupt. No other lane can run, and every needed
/// queue is free. Their turns are taken together and without frames, at a fraction of the cost.
///
/// Only the cost differs. Turns perform the consequences of an action: calls of observers, blocks
/// on other queues, and the passing of time. For these, the program's lane receives its usual
/// frames.
extension World {
  /// A step taken in this way, and its progress.
  package struct LoneStep {
    package let queue: QueueID
    /// The next or latest action. For a save, this includes the phase.
    package fileprivate(set) var action: Action
    /// The levels above the context whose queues the action needs.
    fileprivate var reach: Reach
    fileprivate var isPerformed = false
    fileprivate var continues = true
  }

  /// Returns `nil` if another lane could interrupt the step, or if the step does not begin as an
  /// action.
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

  /// Returns the queues of the turns in which the step takes its queues.
  package func queuesOfTurns(of step: LoneStep) -> QueueSet {
    queuesOfTurn(of: step.action, reaching: step.reach)
  }

  /// A Boolean value that indicates whether no lane of the dispatcher can run.
  package var isStillAlone: Bool { dispatcher.runnableCount == 0 }

  /// Takes the queue of the context.
  package mutating func begin(_ step: borrowing LoneStep) {
    dispatcher.noteRan(driver)
    take(step.queue)
  }

  /// Takes the queues that the action needs. Returns `false`, without an effect, if one of them is
  /// neither free nor the driver's already.
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

  /// Performs the action. Returns `false` if its consequences and the rest of `step` are left to
  /// turns.
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

  /// Releases the queues that the action needed. Returns `true` if a save has another phase.
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

  /// Gives the program's lane the usual frames of `step`, before or after its action.
  package mutating func leaveToTurns(_ lone: LoneStep, of step: AddressedStep) {
    let count = queueCount(within: lone.reach, above: lone.action.context)
    var operation = Frame.Operation(work(lone.action, reach: lone.reach))
    operation.isPerformed = lone.isPerformed
    operation.takenCount = lone.isPerformed ? count : 0
    operation.continues = lone.continues
    leaveEndToTurns(of: step)
    dispatcher.push(.operation(operation), on: driver)
  }

  /// Gives the program's lane the usual frames of `step`, after its last action.
  package mutating func leaveEndToTurns(of step: AddressedStep) {
    var block = Frame.Block(plan(of: step.context, [step], within: nil))
    dispatcher.push(.wait(block, hasQueue: true), on: driver)
    block.next = 1
    dispatcher.push(.block(block), on: driver)
  }
}

extension Step {
  /// A Boolean value that indicates whether the step is an operation on any lane. Such a step has
  /// no blocks and does not release its context.
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
