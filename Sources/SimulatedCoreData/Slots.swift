import ObjectModel

/// The instances of a context, by slot, and which of them the running action may have changed.
struct Slots: Hashable {
  private var objects: [ManagedObject] = []
  /// The IDs of all instances that were written to since this was emptied, a former and a present
  /// one of an instance that was renamed; may have one twice.
  private(set) var touched: [ObjectID] = []

  var count: Int { objects.count }
  var indices: Range<Int> { objects.indices }

  subscript(slot: Int) -> ManagedObject {
    _read { yield objects[slot] }
    _modify {
      touch(objects[slot].id)
      yield &objects[slot]
    }
  }

  /// Puts another instance, or the same under another ID, into a slot, which may be a new one.
  mutating func put(_ object: consuming ManagedObject, at slot: Int) {
    assert(slot <= objects.count, "slot \(slot) is beyond the \(objects.count) slots")
    touch(object.id)
    if slot == objects.count { objects.append(object) } else { self[slot] = object }
  }

  mutating func setID(_ id: ObjectID, of slot: Int) {
    assert(objects[slot].id.entity == id.entity, "\(objects[slot].id) changes its entity")
    touch(id)
    self[slot].id = id
  }

  mutating func forgetTouched() {
    if !touched.isEmpty { touched.removeAll(keepingCapacity: true) }
  }

  private mutating func touch(_ id: ObjectID) {
    if touched.last != id { touched.append(id) }
  }

  // `touched` is for comparisons with the reference model, and no part of a context's state.

  static func == (a: Slots, b: Slots) -> Bool { a.objects == b.objects }

  func hash(into hasher: inout Hasher) { hasher.combine(objects) }
}
