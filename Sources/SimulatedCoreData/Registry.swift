import ObjectModel

/// Which instances a context has registered: their IDs, sorted, and beside each its slot.
///
/// A separate value, because a call on an element of an array copies that: a context has many
/// references to count, a registry two.
struct Registry: Hashable {
  private(set) var ids: [ObjectID] = []
  private(set) var slots: [Int] = []

  /// The slot of the instance with exactly this ID. O(log n).
  @inline(__always) func slot(of id: ObjectID) -> Int? {
    assert(ids.count == slots.count, "\(ids.count) IDs have \(slots.count) slots")
    let position = position(of: id)
    return position < ids.count && ids[position] == id ? slots[position] : nil
  }

  /// The position of `id` in `ids`, or where it would be.
  @inline(__always) private func position(of id: ObjectID) -> Int {
    var low = 0
    var high = ids.count
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Nothing may be registered under the ID yet.
  mutating func insert(_ slot: Int, as id: ObjectID) {
    let position = position(of: id)
    precondition(position == ids.count || ids[position] != id, "\(id) is registered twice")
    assert(slot >= 0 && !slots.contains(slot), "slot \(slot) is registered twice")
    ids.insert(id, at: position)
    slots.insert(slot, at: position)
  }

  /// Something must be registered under the ID. Answers its slot.
  @discardableResult
  mutating func remove(_ id: ObjectID) -> Int {
    let position = position(of: id)
    precondition(position < ids.count && ids[position] == id, "\(id) is not registered")
    ids.remove(at: position)
    return slots.remove(at: position)
  }
}
