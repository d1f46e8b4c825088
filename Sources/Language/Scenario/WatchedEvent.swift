import ObjectModel
package import Vocabulary

/// A kind of event that a transcript can show and a claim can count.
package enum WatchedEvent: String, CaseIterable, Sendable {
  case awakeFromInsert, awakeFromFetch, prepareForDeletion
  /// The hooks `willSave` and `didSave` of an object. The prefix distinguishes them from
  /// notifications of contexts.
  case objectWillSave, objectDidSave
  case willTurnIntoFault, didTurnIntoFault
  case objectsDidChange, contextWillSave, didSave, didSaveObjectIDs, didMergeChanges
  case awakeFromSnapshotEvents
  /// The changes that a fetched-results controller reports to its delegate.
  case controllerDidChangeContent
  /// A write request to a coordinator, and its notifications about stores.
  case saveRequest, willRemoveStore, storesDidChange
  case receive, becamePermanent
  /// A hook's action set an attribute.
  case set

  /// The object that an event happens to, or the context or coordinator that posts it. Claims count
  /// events by subject.
  package enum Subject {
    case object, context, coordinator
  }

  package var subject: Subject {
    switch self {
    case .awakeFromInsert, .awakeFromFetch, .prepareForDeletion, .objectWillSave, .objectDidSave,
      .willTurnIntoFault, .didTurnIntoFault, .awakeFromSnapshotEvents, .receive, .becamePermanent,
      .set:
      .object
    case .objectsDidChange, .contextWillSave, .didSave, .didSaveObjectIDs, .didMergeChanges,
      .controllerDidChangeContent:
      .context
    case .saveRequest, .willRemoveStore, .storesDidChange: .coordinator
    }
  }

  /// Creates the kind of `event`. Returns `nil` for the result of a step.
  package init?(_ event: Event) {
    switch event {
    case .value, .collection, .objects, .count, .object, .nothing, .failed, .saved, .objectIDs,
      .dictionaries, .summaries, .values, .flag, .uri, .batched, .sections:
      return nil
    case .awakeFromSnapshot: self = .awakeFromSnapshotEvents
    case .didSaveObjectIDs: self = .didSaveObjectIDs
    case .saveRequest: self = .saveRequest
    case .controllerDidChangeContent: self = .controllerDidChangeContent
    case .willRemoveStore: self = .willRemoveStore
    case .storesDidChange: self = .storesDidChange
    case .hook(let hook, _, _):
      self =
        switch hook {
        case .awakeFromInsert: .awakeFromInsert
        case .awakeFromFetch: .awakeFromFetch
        case .prepareForDeletion: .prepareForDeletion
        case .willSave: .objectWillSave
        case .didSave: .objectDidSave
        case .willTurnIntoFault: .willTurnIntoFault
        case .didTurnIntoFault: .didTurnIntoFault
        // Only the assignments of this hook are visible.
        case .resolveConflicts: .set
        }
    case .awakeFromInsert: self = .awakeFromInsert
    case .hookSet: self = .set
    case .objectsDidChange: self = .objectsDidChange
    case .contextWillSave: self = .contextWillSave
    case .didSave: self = .didSave
    case .didMergeChanges: self = .didMergeChanges
    case .receive: self = .receive
    case .becamePermanent: self = .becamePermanent
    }
  }
}
