import ObjectModel

/// Lists of IDs: what is saved or notified, and the members of to-many relationships.
extension [ObjectID] {
  /// Appends `id`, with room for a few more: a list grows four times before it has eight.
  mutating func note(_ id: ObjectID) {
    if isEmpty { reserveCapacity(4) }
    append(id)
  }

  /// Whether `id` is one of them, if they are sorted. O(log n).
  func containsInOrder(_ id: ObjectID) -> Bool {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low] == id
  }

  /// Adds `id` where a collection keeps it: at the end, or in ID order.
  mutating func include(_ id: ObjectID, isOrdered: Bool) {
    guard !contains(id) else { return }
    let index = isOrdered ? nil : firstIndex { id < $0 }
    insert(id, at: index ?? count)
    assert(isOrdered || isStrictlyAscending, "a collection is not sorted around \(id)")
  }
}
