import ObjectModel
package import Vocabulary

/// The outcome of one action.
package struct ActionResult: Hashable {
  /// What could be observed of the action, in order.
  package internal(set) var events: [Event] = []
  /// Effects of the action that no event reports.
  package internal(set) var evidence: [Evidence] = []
  /// The requests that the action made to stores.
  package internal(set) var storeAccess = StoreAccess()
  /// The contexts in which the action looked for instances to release.
  package internal(set) var collectedContexts: [ContextID] = []
  /// The merges that contexts are to make by themselves, in the order of their saves.
  var automaticMerges: [AutomaticMerge] = []

  /// A DidSave or batch result, and a context that merges it without being asked (NT-21).
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
