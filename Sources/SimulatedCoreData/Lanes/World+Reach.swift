import ObjectModel
import SimulatedDispatch
import Vocabulary

/// How far up a step reaches: which queues its lane has to take (CC-06, CC-14).
extension World {
  /// The queues above a context that an action of this reach has to hold, nearest first; the
  /// coordinator's lock comes last. §needed-queues.1
  func queues(within reach: Reach, above context: ContextID) -> [QueueID] {
    switch reach {
    case .here: []
    case .parent: queues.aboveContexts[context.index].nearest
    case .store: queues.aboveContexts[context.index].all
    }
  }

  /// The number of these queues.
  func queueCount(within reach: Reach, above context: ContextID) -> Int {
    switch reach {
    case .here: 0
    case .parent: queues.aboveContexts[context.index].nearest.count
    case .store: queues.aboveContexts[context.index].all.count
    }
  }

  func queuesNeeded(for operation: Frame.Operation) -> [QueueID] {
    queues(within: reach(of: operation), above: operation.context)
  }

  /// The reach of an operation. For a merge, it is decided when the merge begins: an automatic
  /// merge has stood in a line, and its context may have changed. §needed-queues.2
  func reach(of operation: Frame.Operation) -> Reach {
    guard operation.isMerge else { return operation.reach }
    if operation.takenCount > 0 { return .store }
    return operation.isPerformed ? .here : reach(of: operation.action)
  }

  /// Makes the work of a frame from an action. All merges have the same reach, which nothing uses,
  /// so that equal states have equal frames; `reach(of:)` decides their reach later.
  func work(_ action: Action, reach: Reach, author: Author = .program) -> Frame.Work {
    if case .merge = action { return .init(action: action, reach: .store, author: author) }
    return .init(action: action, reach: reach, author: author)
  }

  func reach(of action: Action) -> Reach { graph.reach(of: action) }
}

extension Action {
  /// Decides whether an action surely asks above, if its reach is not `here`. Other actions may:
  /// an observer that has the main queue merge a save mostly reads nothing (CC-08). §asks-above
  var surelyAsksAbove: Bool {
    switch self {
    case .mergeRemote, .step(_, .commit): true
    case .step(let step, .whole):
      switch step.step {
      case .fetch, .count, .performFetch, .batch, .obtainPermanentIDs, .mergeHistory, .get, .set,
        .setPrimitive, .increment, .delete:
        true
      default: false
      }
    default: false
    }
  }
}
