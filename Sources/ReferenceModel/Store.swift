import ObjectModel

/// Counterpart of `NSPersistentStore`.
struct Store: Sendable {
  var rows = IDTable<Row>()
  /// The temporary ID that became key 1, 2, …
  var temporaryIDs: [ObjectID] = []
}

/// The beginning of an object, by the serial of its temporary ID.
struct Birth: Sendable {
  var context: Int
  var name: Int?
  var permanentID: ObjectID? = nil
}
