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
    fileprivate let step: AddressedStep
    package let queue: QueueID
    /// What is performed next, or was last: of a save, the phase.
    package fileprivate(set) var action: Action
    /// The queues above the context that the action needs, nearest first.
    package fileprivate(set) var needs: [QueueID]
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
    return LoneStep(
      step: step, queue: queue, action: action, needs: queuesNeeded(for: action))
  }

  /// On which queues the turns are that take those the action needs.
  package func queuesOfTurns(of step: LoneStep) -> QueueSet {
    queuesOfTurn(of: step.action, needing: step.needs)
  }

  /// Whether no other lane can run by now.
  package var isStillAlone: Bool { dispatcher.runnableCount == 0 }

  /// Takes the queue of the context.
  package mutating func begin(_ step: LoneStep) {
    dispatcher.noteRan(driver)
    take(step.queue)
  }

  /// Takes the queues that the action needs; false, and nothing happens, if another lane has one.
  package mutating func takeNeeds(of step: LoneStep) -> Bool {
    for queue in step.needs
    where !dispatcher.isFree(queue) && !dispatcher.owns(driver, queue) {
      return false
    }
    for queue in step.needs { take(queue) }
    return true
  }

  private mutating func take(_ queue: QueueID) {
    let acquisition = dispatcher.acquire(queue, for: driver)
    assert(acquisition == .granted || acquisition == .reentrant, "a lone step has to wait")
  }

  /// Performs the action. False if what it set off is left to turns, the step's end included.
  package mutating func perform(_ step: inout LoneStep) -> Bool {
    let calls = performAction(step.action, &step.continues)
    step.isPerformed = true
    let duration = storeAccess.duration(by: stack.timing)
    if calls.isEmpty, duration == 0, isStillAlone { return true }
    leaveToTurns(step)
    beginDelivery(calls, on: driver)
    dispatcher.sleep(driver, milliseconds: duration)
    return false
  }

  /// Gives the queues back that the action needed. Whether the step goes on: a save has phases.
  package mutating func endAction(of step: inout LoneStep) -> Bool {
    for queue in step.needs.reversed() { dispatcher.release(queue, by: driver) }
    step.isPerformed = false
    guard step.continues, let next = nextPhase(after: step.action) else { return false }
    step.action = next
    step.needs = queuesNeeded(for: next)
    return true
  }

  package mutating func end(_ step: LoneStep) { dispatcher.release(step.queue, by: driver) }

  /// Gives the program's lane the frames of the step, before or after its action.
  package mutating func leaveToTurns(_ step: LoneStep) {
    var operation = Frame.Operation(.init(action: step.action, needs: step.needs))
    operation.isPerformed = step.isPerformed
    operation.takenCount = step.isPerformed ? step.needs.count : 0
    operation.continues = step.continues
    leaveEndToTurns(step)
    dispatcher.push(.operation(operation), on: driver)
  }

  /// Likewise, once its last action is over.
  package mutating func leaveEndToTurns(_ step: LoneStep) {
    var block = Frame.Block(plan(of: step.step.context, [step.step], within: nil))
    block.next = 1
    dispatcher.push(.wait(block, hasQueue: true), on: driver)
    dispatcher.push(.block(block), on: driver)
  }
}

extension Step {
  /// Whether it is an operation on its lane wherever it is performed, and neither lets go of its
  /// context nor has blocks.
  fileprivate var isAction: Bool {
    switch self {
    case .perform, .performAndWait, .performBackgroundTask, .directly, .async, .sync, .when, .call,
      .tick, .sleep, .suspend, .resume, .setFlag, .enter, .leave, .wait, .notify, .kill, .discard:
      false
    default: true
    }
  }
}
