/// Objects that an app's code goes through, one after the other.
package enum ObjectSet: Hashable, Sendable {
  /// What the notification that is being delivered lists as inserted or updated, by ID; only in an
  /// observer of `didSave`.
  case delivered
  /// Of those, what it lists as updated.
  case deliveredUpdates
  /// The same once it is known which notification that is: DidSave `number` of the world.
  case saved(number: Int, updatesOnly: Bool)
  /// What a set of the app has, each looked up by the ID that it had then.
  case remembered(IDSetID)
  /// The context's `insertedObjects`.
  case inserted
  /// The context's `updatedObjects`.
  case updated
  /// The context's `registeredObjects`.
  case registered
}

/// What an app's code does to each object of a set, which it looks up in its context by
/// `object(with:)`.
package enum Treatment: Hashable, Sendable {
  /// `willAccessValue(forKey: nil)`: fires a fault, and changes nothing.
  case touch
  /// Sets the attribute that objects of the entity are marked by: `Entity.mark`.
  case edit
  /// As `edit`, unless it has that value.
  case mark
  case refresh(mergeChanges: Bool)
  /// Deletes what `existingObject(with:)` finds; what it does not find is passed over.
  case delete
}

extension ObjectSet {
  /// What it is in an observer to which DidSave `number` is delivered.
  package func saved(as number: Int?) -> ObjectSet {
    guard let number else { return self }
    return switch self {
    case .delivered: .saved(number: number, updatesOnly: false)
    case .deliveredUpdates: .saved(number: number, updatesOnly: true)
    default: self
    }
  }
}
