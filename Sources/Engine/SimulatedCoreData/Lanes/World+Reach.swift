import ObjectModel
import SimulatedDispatch
import Vocabulary

/// The queues above a context that a step needs, depending on how far up it reads or writes (CC-06,
/// CC-14).
extension World {
  /// Returns the queues above a context that an action of this reach needs, nearest first. The
  /// coordinator's lock comes last. §needed-queues.1
  func queues(within reach: Reach, above context: ContextID) -> [QueueID] {
    switch reach {
    case .here: []
    case .parent: queues.aboveContexts[context.index].nearest
    case .store: queues.aboveContexts[context.index].all
    }
  }

  /// Returns the number of queues above a context that an action of this reach needs.
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

  /// Returns the reach of an operation. The reach of a merge is decided when the merge begins,
  /// because its context may have changed while an automatic merge waited in line. §needed-queues.2
  func reach(of operation: Frame.Operation) -> Reach {
    guard operation.isMerge else { return operation.reach }
    if operation.takenCount > 0 { return .store }
    return operation.isPerformed ? .here : reach(of: operation.action)
  }

  /// Makes the work of a frame from an action. Every merge gets the same, unused reach, so that
  /// equal states have equal frames. `reach(of:)` decides the actual reach later.
  func work(_ action: Action, reach: Reach, author: Author = .program) -> Frame.Work {
    if case .merge = action { return .init(action: action, reach: .store, author: author) }
    return .init(action: action, reach: reach, author: author)
  }

  func reach(of action: Action) -> Reach { graph.reach(of: action) }
}

extension Action {
  /// Decides whether an action certainly asks above, unless its reach is `here`. Other actions may.
  /// For example, an observer on the main queue that merges a save usually reads nothing (CC-08).
  /// §asks-above
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
