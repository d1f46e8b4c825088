import ObjectModel
package import Vocabulary

/// The outcome of one action.
package struct ActionResult: Hashable {
  /// The observable effects of the action, in order.
  package internal(set) var events: [Event] = []
  /// Effects of the action that no event reports.
  package internal(set) var evidence: [Evidence] = []
  /// The requests that the action made to stores.
  package internal(set) var storeAccess = StoreAccess()
  /// The contexts in which the action looked for instances to release.
  package internal(set) var collectedContexts: [ContextID] = []
  /// The automatic merges to enqueue, in the order in which the action announced them.
  var automaticMerges: [AutomaticMerge] = []

  /// A Boolean value that indicates whether a request has found an object, a row or a number above
  /// 0. §note-answer.2
  var hasFound: Bool {
    events.contains { event in
      switch event {
      case .objects(let ids), .objectIDs(let ids): !ids.isEmpty
      case .count(let count): count > 0
      case .dictionaries(_, let rows): !rows.isEmpty
      case .summaries(_, _, _, let rows): !rows.isEmpty
      default: false
      }
    }
  }

  /// A DidSave or batch result, and a context that merges it automatically (NT-21).
  struct AutomaticMerge: Hashable {
    let context: ContextID
    let number: Int
  }

  /// Empties the result for the next action, and keeps its memory.
  mutating func removeAll() {
    events.removeFew()
    evidence.removeFew()
    storeAccess = StoreAccess()
    collectedContexts.removeFew()
    automaticMerges.removeFew()
  }
}
