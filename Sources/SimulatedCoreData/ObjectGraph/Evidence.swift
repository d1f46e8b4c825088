package import ObjectModel
package import Vocabulary

/// What an action did that its own context cannot see.
///
/// Observations say what a program can see; this says what it cannot, and what the invariants on
/// lost data need.
package enum Evidence: Hashable, Sendable {
  /// The save put `new` over `replaced`, though its context still believed `base` to be there.
  case overwrote(Change, base: Value, replaced: Value, new: Value)
  /// The save went through, but of `wanted`, which was set here, nothing arrived: `found` is there,
  /// nil for no object that could have had it.
  case ignored(Change, wanted: Value, found: Value?)
  /// The save put `new` where `old` was; a new object had its default.
  case wrote(Change, old: Value, new: Value)
  /// The save put `new` where `old` was, into the row that was in the way of an insertion.
  case tookOver(Change, old: Value, new: Value)
  /// The save left out a new object, which is a duplicate.
  case leftOut(ContextID, object: ObjectID)
  /// The context was given up with this in it, unsaved.
  case lost(ContextID, object: ObjectID, Loss)

  /// A step read a fault whose row is gone: the object reads nil, and counts as deleted (FL-14).
  case missed(ContextID, object: ObjectID)
  /// The context has merged what was saved under this number, and was told of these objects, which
  /// it had.
  case merged(ContextID, number: Int, told: [ObjectID])

  /// A step of the program put `other` into a relationship of `object`, or took it out.
  case related(ContextID, object: ObjectID, PropertyID, other: ObjectID, isMember: Bool)

  /// Which value of which object, and whose save.
  package struct Change: Hashable, Sendable {
    package var context: ContextID
    package var object: ObjectID
    package var property: PropertyID
    /// Where it happened: the parent, or nil for a store.
    package var parent: ContextID?
  }

  /// What a save wrote, on whatever way; nil if this is about something else.
  package var write: (change: Change, old: Value, new: Value)? {
    switch self {
    case .wrote(let change, let old, let new), .tookOver(let change, let old, let new):
      (change, old, new)
    default: nil
    }
  }

  /// An unsaved change that is lost with its context, or with the values of its instance.
  package enum Loss: Hashable, Sendable {
    case insertion, deletion
    case value(PropertyID, Value)
    case members(PropertyID)
  }
}
