import ObjectModel
import SimulatedDispatch
import Vocabulary

/// Effects of the notifications of an action: calls of observers, as frames on the lane, and
/// automatic merges, as blocks on the queues of their contexts.
extension World {
  /// Finds the calls of observers for the events of the last action. §observers
  func callsToObservers() -> [Frame.Delivery.Call] {
    guard !stack.observers.isEmpty else { return [] }
    var calls: [Frame.Delivery.Call] = []
    // By index, because a loop over events copies them.
    for index in graph.result.events.indices {
      let posted: (Stack.NotificationName, ContextID, Int?)
      switch graph.result.events[index] {
      case .objectsDidChange(let context, _): posted = (.objectsDidChange, context, nil)
      case .contextWillSave(let context): posted = (.contextWillSave, context, nil)
      case .didSave(let context, _, let number): posted = (.didSave, context, number)
      case .didSaveObjectIDs(let context, _, let number):
        posted = (.didSaveObjectIDs, context, number)
      default: continue
      }
      for listener in graph.setting.listeners[posted.1.index]
      where listener.notification == posted.0 {
        calls.append(.observer(listener.observer, delivered: posted.2))
      }
    }
    return calls
  }

  /// Calls the next observer of a delivery, or ends the delivery. §call-observers
  mutating func advance(_ delivery: Frame.Delivery, on lane: LaneID) -> Progress {
    guard let call = delivery.calls.first else {
      _ = dispatcher.pop(lane)
      return .moved
    }
    dispatcher.replaceTop(
      of: lane, with: .delivery(.init(calls: Array(delivery.calls.dropFirst()))))
    let index: Int
    let delivered: Int?
    switch call {
    case .observer(let observer, let number): (index, delivered) = (observer, number)
    case .end(let context):
      dispatcher.push(frame(for: .endOfDelivery(context)), on: lane)
      return .moved
    }
    let observer = stack.observers[index]
    dispatcher.push(
      .block(
        .init(
          .init(
            queue: queue(of: observer.context), context: observer.context, steps: observer.steps,
            delivered: delivered, author: .observer(index)))),
      on: lane)
    return .moved
  }

  /// Enqueues the automatic merges that the last action announced. §automatic-merges.1.2
  mutating func enqueueAutomaticMerges() {
    for index in graph.result.automaticMerges.indices {
      let merge = graph.result.automaticMerges[index]
      let action = Action.merge(merge.context, number: merge.number)
      enqueue(frame(for: action), on: queue(of: merge.context))
    }
  }
}
