import ObjectModel

/// The instances of a context, by slot, and which of them the running action may have changed.
struct Slots: Hashable {
  private var objects: [ManagedObject] = []
  /// Whoever was written to since this was emptied, under every ID that he had meanwhile; may have
  /// one twice.
  private(set) var touched: [ObjectID] = []

  var count: Int { objects.count }

  subscript(slot: Int) -> ManagedObject {
    _read { yield objects[slot] }
    _modify {
      touch(objects[slot].id)
      yield &objects[slot]
    }
  }

  /// Puts another instance, or the same under another ID, into a slot, which may be a new one.
  mutating func put(_ object: consuming ManagedObject, at slot: Int) {
    touch(object.id)
    if slot == objects.count { objects.append(object) } else { self[slot] = object }
  }

  mutating func setID(_ id: ObjectID, of slot: Int) {
    touch(id)
    self[slot].id = id
  }

  mutating func forgetTouched() {
    if !touched.isEmpty { touched.removeAll(keepingCapacity: true) }
  }

  private mutating func touch(_ id: ObjectID) {
    if touched.last != id { touched.append(id) }
  }

  // What is touched is for whoever compares, and no part of a context.

  static func == (a: Slots, b: Slots) -> Bool { a.objects == b.objects }

  func hash(into hasher: inout Hasher) { hasher.combine(objects) }
}
