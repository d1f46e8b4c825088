package import ObjectModel
package import Vocabulary

/// An effect of an action that its context cannot see.
///
/// Events contain all effects that a program can observe. Evidence contains effects that it cannot,
/// which the invariants about lost data need.
package enum Evidence: Hashable, Sendable {
  /// The save replaced `replaced` with `new`, although the context still expected `base`. An
  /// insertion with the unique values of a row also does so with the default `new`, if it gives the
  /// attribute no value. Then `base` is `new`.
  case overwrote(Change, base: Value, replaced: Value, new: Value)
  /// The save succeeded, but ignored `wanted`, a value set in this context. The level above has
  /// `found`, or no such object if `found` is `nil`.
  case ignored(Change, wanted: Value, found: Value?)
  /// The save replaced `old` with `new`. For a new object, `old` is the default.
  case wrote(Change, old: Value, new: Value)
  /// The save or the batch insertion replaced `old` with `new` in a row that has the unique values
  /// of an insertion.
  case tookOver(Change, old: Value, new: Value)
  /// The batch insertion wrote its record with this index to the row.
  case recorded(ObjectID, record: Int)
  /// The save omitted a new object because the object is a duplicate.
  case leftOut(ContextID, object: ObjectID)
  /// An unsaved change was lost with its context, or with the values of its instance.
  case lost(ContextID, object: ObjectID, Loss)

  /// A step read a fault whose row is gone. All values of the object are `nil`, and it counts as
  /// deleted (FL-14).
  case missed(ContextID, object: ObjectID)
  /// The context merged the save with this number. `changed` lists the objects that the merge
  /// refreshed or deleted.
  case merged(ContextID, number: Int, changed: [ObjectID])

  /// A step of the program added `other` to a relationship of `object`, or removed it.
  case related(ContextID, object: ObjectID, PropertyID, other: ObjectID, isMember: Bool)

  /// The context that saves a value, and the object and property of the value.
  package struct Change: Hashable, Sendable {
    package var context: ContextID
    package var object: ObjectID
    package var property: PropertyID
    /// The parent that receives the value, or `nil` for a store.
    package var parent: ContextID?
  }

  /// The value written by a save, or `nil` for other evidence.
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
