extension Array {
  /// Removes all elements and keeps the capacity.
  ///
  /// Removes few elements one by one, which is faster than `removeAll(keepingCapacity:)`. Inlined,
  /// because most lists are already empty.
  @inline(__always) @inlinable package mutating func removeFew() {
    if count > 16 { return removeAll(keepingCapacity: true) }
    while !isEmpty { _ = popLast() }
  }
}

extension Array {
  /// Takes the storage of `other` if its capacity is larger. This array must be empty, and the
  /// elements of `other` are lost.
  @inlinable package mutating func takeStorage(of other: inout [Element]) {
    assert(isEmpty, "a list that is in use takes the memory of another")
    if other.capacity <= capacity { return }
    other.removeAll(keepingCapacity: true)
    removeAll()
    swap(&self, &other)
  }
}

extension [ObjectID] {
  /// Appends `id` and reserves a few places, because an array otherwise reallocates four times
  /// before it has eight elements.
  @inlinable package mutating func note(_ id: ObjectID) {
    if isEmpty { reserveCapacity(4) }
    append(id)
  }
}

/// Lists of IDs that are kept in ID order.
extension [ObjectID] {
  /// Returns the index of `id`, or the index at which to insert it.
  ///
  /// - Complexity: O(log n).
  @inlinable package func place(of id: ObjectID) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns a Boolean value that indicates whether the list contains `id`.
  ///
  /// - Complexity: O(log n).
  @inlinable package func containsInOrder(_ id: ObjectID) -> Bool {
    let place = place(of: id)
    return place < count && self[place] == id
  }

  /// Inserts `id` at its place, unless the list contains it. Optimized for insertion at the end,
  /// which is the usual case.
  @inlinable package mutating func insertInOrder(_ id: ObjectID) {
    guard let last, !(last < id) else {
      if capacity < 4 { reserveCapacity(4) }
      return append(id)
    }
    if last == id { return }
    let place = place(of: id)
    if self[place] != id { insert(id, at: place) }
  }

  /// Removes `id` if the list contains it.
  @inlinable package mutating func removeInOrder(_ id: ObjectID) {
    let place = place(of: id)
    if place < count, self[place] == id { remove(at: place) }
  }

  /// Removes `old` and inserts `new` at its place, if the list contains `old`.
  @inlinable package mutating func replaceInOrder(_ old: ObjectID, by new: ObjectID) {
    guard containsInOrder(old) else { return }
    removeInOrder(old)
    insertInOrder(new)
  }

  /// Inserts or removes `id`, so that the list contains it exactly if `isMember` is true.
  @inlinable package mutating func keepInOrder(_ id: ObjectID, _ isMember: Bool) {
    if isMember {
      insertInOrder(id)
    } else if let last, !(last < id) {
      removeInOrder(id)
    }
  }
}
