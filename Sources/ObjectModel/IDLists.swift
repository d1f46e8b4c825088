extension Array {
  /// Removes all and keeps the room. One by one: to ask an array for all at once takes longer than
  /// the few that an action leaves in a list. Inlined, for mostly there is nothing to remove.
  @inline(__always) @inlinable package mutating func removeFew() {
    if count > 16 { return removeAll(keepingCapacity: true) }
    while !isEmpty { _ = popLast() }
  }
}

extension Array {
  /// Takes over the memory of `other`, if that is larger. This list has to be empty, and what
  /// `other` has is lost.
  @inlinable package mutating func takeRoom(of other: inout [Element]) {
    assert(isEmpty, "a list that is in use takes the memory of another")
    if other.capacity <= capacity { return }
    other.removeAll(keepingCapacity: true)
    removeAll()
    swap(&self, &other)
  }
}

extension [ObjectID] {
  /// Appends `id`, with room for a few more: a list grows four times before it has eight.
  @inlinable package mutating func note(_ id: ObjectID) {
    if isEmpty { reserveCapacity(4) }
    append(id)
  }
}

/// Lists of IDs that are kept in ID order.
extension [ObjectID] {
  /// Where `id` is, or belongs. O(log n).
  @inlinable package func place(of id: ObjectID) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Whether `id` is one of them. O(log n).
  @inlinable package func containsInOrder(_ id: ObjectID) -> Bool {
    let place = place(of: id)
    return place < count && self[place] == id
  }

  /// Adds `id` where it belongs, unless it is there. Mostly that is the end.
  @inlinable package mutating func insertInOrder(_ id: ObjectID) {
    guard let last, !(last < id) else {
      if capacity < 4 { reserveCapacity(4) }
      return append(id)
    }
    if last == id { return }
    let place = place(of: id)
    if self[place] != id { insert(id, at: place) }
  }

  /// Removes `id`, if it is there.
  @inlinable package mutating func removeInOrder(_ id: ObjectID) {
    let place = place(of: id)
    if place < count, self[place] == id { remove(at: place) }
  }

  /// Puts `new` where it belongs instead of `old`, if that is there.
  @inlinable package mutating func replaceInOrder(_ old: ObjectID, by new: ObjectID) {
    guard containsInOrder(old) else { return }
    removeInOrder(old)
    insertInOrder(new)
  }

  /// Adds `id` or removes it, if it is not so already.
  @inlinable package mutating func keepInOrder(_ id: ObjectID, _ isMember: Bool) {
    if isMember {
      insertInOrder(id)
    } else if let last, !(last < id) {
      removeInOrder(id)
    }
  }
}
