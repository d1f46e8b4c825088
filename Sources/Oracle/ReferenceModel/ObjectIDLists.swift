import ObjectModel

/// The members of to-many relationships.
extension [ObjectID] {
  /// Adds `id` where a collection keeps it: at the end, or in ID order.
  mutating func include(_ id: ObjectID, isOrdered: Bool) {
    if !isOrdered { return insertInOrder(id) }
    if !contains(id) { append(id) }
  }
}
