package import ObjectModel
package import SimulatedDispatch
package import Vocabulary

/// Lanes that run an app's code. The next step of such a lane is known only when the code takes it.
///
/// The code runs on a separate thread, while no other thread runs. In the world, it is a number at
/// the bottom of its lane. While this number is the lane's top frame, the embedder lets the code
/// run. The code stops when it requests an action, a queue or a block on another queue. The request
/// is then pushed on top of the number.
extension World {
  package var mainQueue: QueueID { queues.main }

  /// Makes a serial queue that the stack does not declare.
  package mutating func makeCodeQueue() -> QueueID { dispatcher.makeQueue() }

  /// Runs code on the program's thread until `endCode`. The program's thread is the main thread, so
  /// the code owns the main queue from the beginning.
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

  /// Enqueues code at the front of the queue's line.
  package mutating func enqueueCodeFirst(_ code: Int, on queue: QueueID) {
    queues.enqueuedCount += 1
    dispatcher.asyncFirst(.code(code), on: queue)
  }

  /// Returns the code that continues when `lane` takes a turn, or `nil` if the lane is busy with a
  /// request of the code.
  package func code(on lane: LaneID) -> Int? {
    if case .code(let code) = dispatcher.top(of: lane) { code } else { nil }
  }

  /// Returns the code that the lane runs or works for, or `nil` for an automatic merge.
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

  /// Makes the lane perform one action, after it has taken the queues above the action's context.
  /// The code requests each phase of a save separately.
  package mutating func ask(for action: Action, on lane: LaneID) {
    dispatcher.push(
      .operation(.init(.init(action: action, reach: reach(of: action), isOnePhase: true))),
      on: lane)
  }

  /// Returns the action of a step. For a save, this is the first phase.
  package func action(for step: AddressedStep) -> Action { action(for: step, delivered: nil) }

  /// Ends code that has returned. Pass `context` for code enqueued by `perform`, which also ends an
  /// event of the context.
  package mutating func endCode(on lane: LaneID, endingEventOf context: ContextID?) {
    let frame = dispatcher.pop(lane)
    guard case .code = frame else { preconditionFailure("lane \(lane.index) runs no code") }
    if let context {
      dispatcher.push(self.frame(for: .endOfEvent(context)), on: lane)
    } else {
      finishBlockIfIdle(lane)
    }
  }

  /// Makes the code hold the instance with this ID under a name that no other instance has.
  package mutating func hold(_ id: ObjectID, in context: ContextID, as name: ObjectName) {
    graph.hold(id, in: context, as: name)
  }

  /// The main queue's contexts that have changes to process when a turn of the run loop ends
  /// (NT-07).
  package var contextsToProcess: [ContextID] {
    graph.contexts.filter { $0.hasReports && queues.ofContexts[$0.id.index] == queues.main }.map(
      \.id)
  }
}
