/// A set of objects that app code loops over.
package enum ObjectSet: Hashable, Sendable {
  /// The objects that the notification being delivered lists as inserted or updated, ordered by ID.
  /// Available only in an observer of `didSave`.
  case delivered
  /// The objects that the notification being delivered lists as updated.
  case deliveredUpdates
  /// The objects of DidSave `number`, which replaces `delivered` and `deliveredUpdates` once the
  /// notification is known.
  case saved(number: Int, updatesOnly: Bool)
  /// The objects in an ID set of the app, looked up by the IDs that they had when they were added.
  case remembered(IDSetID)
  /// The context's `insertedObjects`.
  case inserted
  /// The context's `updatedObjects`.
  case updated
  /// The context's `registeredObjects`.
  case registered
}

/// An operation that app code applies to each object of a set. The code looks up each object with
/// `object(with:)`.
package enum Treatment: Hashable, Sendable {
  /// `willAccessValue(forKey: nil)`, which fires a fault and changes nothing.
  case touch
  /// Sets the attribute of `Entity.mark` to its value.
  case edit
  /// Sets the attribute of `Entity.mark` unless it already has its value.
  case mark
  case refresh(mergeChanges: Bool)
  /// Deletes the objects that `existingObject(with:)` finds, and skips the rest.
  case delete
}

extension ObjectSet {
  /// Returns the set with the delivered notification resolved to DidSave `number`.
  package func saved(as number: Int?) -> ObjectSet {
    guard let number else { return self }
    return switch self {
    case .delivered: .saved(number: number, updatesOnly: false)
    case .deliveredUpdates: .saved(number: number, updatesOnly: true)
    default: self
    }
  }
}
