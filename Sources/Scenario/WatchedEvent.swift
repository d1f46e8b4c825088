import ObjectModel
package import Vocabulary

/// A kind of event that a transcript can show and a claim can count.
package enum WatchedEvent: String, CaseIterable, Sendable {
  case awakeFromInsert, awakeFromFetch, prepareForDeletion
  /// The hooks `willSave` and `didSave` of an object; contexts have notifications of that name.
  case objectWillSave, objectDidSave
  case willTurnIntoFault, didTurnIntoFault
  case objectsDidChange, contextWillSave, didSave, didMergeChanges
  case receive, becamePermanent
  /// A hook's action set an attribute.
  case set

  /// Whether it is something that a context posts, and not something that happens to an object.
  package var isNotification: Bool {
    switch self {
    case .objectsDidChange, .contextWillSave, .didSave, .didMergeChanges: true
    case .awakeFromInsert, .awakeFromFetch, .prepareForDeletion, .objectWillSave, .objectDidSave,
      .willTurnIntoFault, .didTurnIntoFault, .receive, .becamePermanent, .set:
      false
    }
  }

  /// The kind of `event`; nil for the answer of a step.
  package init?(_ event: Event) {
    switch event {
    case .value, .collection, .objects, .count, .object, .nothing, .failed, .saved: return nil
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
