package import ObjectModel
package import SimulatedDispatch
package import Vocabulary

/// Lanes whose program is an app's code: what they do next is known when they do it.
///
/// The code runs elsewhere, on a thread of its own beside which no other runs. Here it is a number
/// at the bottom of its lane. While that is the lane's top frame, the embedder lets the code go on
/// until it asks for something: an action, a queue, a block on another queue. What it asked for is
/// on top of the number meanwhile.
extension World {
  package var mainQueue: QueueID { queues.main }

  /// Makes a serial queue that no declaration of the stack names.
  package mutating func makeCodeQueue() -> QueueID { dispatcher.makeQueue() }

  /// Has the program's thread run code, until `endCode`. The main thread is the program's: the code
  /// has the main queue from the beginning.
  package mutating func beginMainCode(_ code: Int) {
    precondition(isDriverIdle, "code begins on a thread that is busy")
    dispatcher.push(.code(code), on: driver)
    let acquisition = dispatcher.acquire(queues.main, for: driver)
    precondition(acquisition == .granted, "the main queue is taken before any code runs")
  }

  /// Enqueues code as a block.
  package mutating func enqueueCode(
    _ code: Int, on queue: QueueID, afterMilliseconds delay: Int = 0
  ) {
    if delay == 0 {
      enqueue(.code(code), on: queue)
    } else {
      queues.enqueuedCount += 1
      dispatcher.asyncAfter(delay, .code(code), on: queue)
    }
  }

  /// Enqueues code before all that stands in the line of the queue.
  package mutating func enqueueCodeFirst(_ code: Int, on queue: QueueID) {
    queues.enqueuedCount += 1
    dispatcher.asyncFirst(.code(code), on: queue)
  }

  /// The code that goes on when `lane` does; nil if the lane is busy with what it asked for.
  package func code(on lane: LaneID) -> Int? {
    if case .code(let code) = dispatcher.top(of: lane) { code } else { nil }
  }

  /// The code that the lane runs or is busy for; nil for an automatic merge.
  package func codeBelow(_ lane: LaneID) -> Int? {
    for case .code(let code) in dispatcher.frames(of: lane).reversed() { return code }
    return nil
  }

  package mutating func release(_ queue: QueueID, by lane: LaneID) {
    dispatcher.release(queue, by: lane)
  }

  package func owns(_ queue: QueueID, _ lane: LaneID) -> Bool { dispatcher.owns(lane, queue) }

  package mutating func sleep(_ lane: LaneID, milliseconds: Int) {
    dispatcher.sleep(lane, milliseconds: milliseconds)
  }

  /// Has the lane perform one action, after it has taken the queues above the action's context. The
  /// phases of a save are asked for one by one.
  package mutating func ask(for action: Action, on lane: LaneID) {
    dispatcher.push(
      .operation(.init(.init(action: action, reach: reach(of: action), isOnePhase: true))),
      on: lane)
  }

  /// The action that a step comes to; of a save, the first phase.
  package func action(for step: AddressedStep) -> Action { action(for: step, delivered: nil) }

  /// The code of a block has returned. What `perform` has enqueued ends an event of its context.
  package mutating func endCode(on lane: LaneID, endingEventOf context: ContextID?) {
    let frame = dispatcher.pop(lane)
    guard case .code = frame else { preconditionFailure("lane \(lane.index) runs no code") }
    if let context {
      dispatcher.push(self.frame(for: .endOfEvent(context)), on: lane)
    } else {
      finishBlockIfIdle(lane)
    }
  }

  /// Has the code hold the instance with this ID under a name that no other instance has.
  package mutating func hold(_ id: ObjectID, in context: ContextID, as name: ObjectName) {
    graph.hold(id, in: context, as: name)
  }

  /// The contexts of the main queue that have something to process when a turn of the run loop ends
  /// (NT-07).
  package var contextsToProcess: [ContextID] {
    graph.contexts.filter { $0.hasReports && queues.ofContexts[$0.id.index] == queues.main }.map(
      \.id)
  }
}
