import ObjectModel

protocol HasObjectID {
  var id: ObjectID { get set }
}

/// Elements by ID: a collection in ID order, so that iteration visits elements in ID order.
///
/// An element stays in its slot while elements are added, because the table sorts only their
/// places.
struct IDTable<Element: HasObjectID> {
  private struct Place: Sendable {
    var id: ObjectID
    /// The position of the element in `storage`.
    var slot: Int
    /// A note about the element, with a bit for each list that its context keeps. All bits are set
    /// before the first note.
    var note: UInt8 = .max
  }

  /// In ID order.
  private var places: [Place] = []
  /// In any order. When an element is removed, the last element takes its slot.
  private var storage: [Element] = []
  /// The IDs of elements that may have changed since the list was emptied. An ID may occur twice.
  /// The list does not count in comparisons.
  private(set) var touched: [ObjectID] = []
  /// The number of touched IDs that the context's lists have processed.
  private(set) var listedCount = 0
  /// The touched IDs whose elements were removed.
  private(set) var removed: [ObjectID] = []

  var ids: [ObjectID] { places.map(\.id) }

  // Inlined, because a call on a part of an array's element copies that part with its references.

  @inline(__always) func contains(_ id: ObjectID) -> Bool { position(of: id) != nil }

  /// Returns the IDs of the elements that meet a condition. Each element is inspected in place.
  @inline(__always) func ids(where isMeant: (borrowing Element) -> Bool) -> [ObjectID] {
    var ids: [ObjectID] = []
    for position in places.indices where isMeant(storage[places[position].slot]) {
      if ids.isEmpty { ids.reserveCapacity(places.count - position) }
      ids.append(places[position].id)
    }
    return ids
  }

  subscript(id: ObjectID) -> Element? {
    @inline(__always) get {
      guard let position = position(of: id) else { return nil }
      return storage[places[position].slot]
    }
  }

  /// An element that exists.
  subscript(existing id: ObjectID) -> Element {
    _read { yield storage[existingSlot(of: id)] }
    _modify {
      let slot = existingSlot(of: id)
      touch(id)
      yield &storage[slot]
      assert(storage[slot].id == id, "an element changed its ID in place")
    }
  }

  /// Adds `element`, or replaces the element with the same ID.
  mutating func put(_ element: consuming Element) {
    let id = element.id
    touch(id)
    let position = insertionPosition(of: id)
    if position < places.count, places[position].id == id {
      storage[places[position].slot] = element
    } else {
      // Most tables get several elements.
      if storage.capacity == 0 {
        places.reserveCapacity(8)
        storage.reserveCapacity(8)
      }
      insert(Place(id: id, slot: storage.count), at: position)
      storage.append(element)
    }
  }

  /// Removes an element. Returns false if no element has the ID.
  @discardableResult
  mutating func remove(_ id: ObjectID) -> Bool {
    guard let position = position(of: id) else { return false }
    touch(id)
    removed.append(id)
    let slot = places.remove(at: position).slot
    assert(storage[slot].id == id, "another element is removed instead of \(id)")
    let last = storage.removeLast()
    if slot < storage.count {
      places[insertionPosition(of: last.id)].slot = slot
      storage[slot] = last
    }
    return true
  }

  /// Gives the element `old` an ID that no other element has.
  mutating func rename(_ old: ObjectID, to new: ObjectID) {
    assert(!contains(new), "\(new) is the ID of another element")
    let slot = existingSlot(of: old)
    touch(old)
    touch(new)
    storage[slot].id = new
    // The places between the two move by one. Usually none lie between, where all IDs become
    // permanent.
    var position = insertionPosition(of: old)
    let target = insertionPosition(of: new)
    while position > target {
      places[position] = places[position - 1]
      position -= 1
    }
    while position + 1 < target {
      places[position] = places[position + 1]
      position += 1
    }
    places[position] = Place(id: new, slot: slot)
  }

  mutating func removeAll() {
    touched += ids
    removed += ids
    places.removeAll()
    storage.removeAll()
  }

  /// Takes the memory of another table's lists.
  mutating func takeStorage(of other: inout IDTable) {
    places.takeStorage(of: &other.places)
    storage.takeStorage(of: &other.storage)
    touched.takeStorage(of: &other.touched)
    removed.takeStorage(of: &other.removed)
  }

  mutating func noteListed() { listedCount = touched.count }

  mutating func forgetTouched() {
    touched.removeFew()
    listedCount = 0
    removed.removeFew()
  }

  /// Checks the rules of every table. Sentences call the table `name`.
  func checkInvariants(_ name: String, _ broken: inout BrokenRules) {
    broken.require(ids.isStrictlyAscending, "\(name) is not in ascending order")
    broken.require(storage.count == places.count, "\(name) has an element without a place")
    for place in places {
      broken.require(
        storage.indices.contains(place.slot) && storage[place.slot].id == place.id,
        "\(place.id) is at another's place in \(name)")
    }
  }

  /// Breaks a rule, for a test of `checkInvariants`.
  mutating func exchangeFirstSlots() {
    storage.swapAt(0, 1)
  }

  // MARK: Places

  /// The note about the element at `position`, which does not count in comparisons.
  @inline(__always) func note(at position: Int) -> UInt8 { places[position].note }

  @inline(__always) mutating func note(_ note: UInt8, at position: Int) {
    places[position].note = note
  }

  @inline(__always) private mutating func touch(_ id: ObjectID) {
    // Usually the ID was touched last.
    if touched.count > listedCount, let last = touched.last, last == id { return }
    touched.append(id)
  }

  private mutating func insert(_ place: Place, at position: Int) {
    if position == places.count { places.append(place) } else { places.insert(place, at: position) }
  }

  @inline(__always) func position(of id: ObjectID) -> Int? {
    let position = insertionPosition(of: id)
    return position < places.count && places[position].id == id ? position : nil
  }

  @inline(__always) private func existingSlot(of id: ObjectID) -> Int {
    guard let position = position(of: id) else { preconditionFailure("\(id) is not in the table") }
    return places[position].slot
  }

  @inline(__always) private func insertionPosition(of id: ObjectID) -> Int {
    var low = 0
    var high = places.count
    while low < high {
      let middle = (low + high) / 2
      if places[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension IDTable: RandomAccessCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { places.count }
  subscript(position: Int) -> Element {
    @inline(__always) _read { yield storage[places[position].slot] }
  }
}

extension IDTable: Sendable where Element: Sendable {}

extension IDTable: Equatable where Element: Equatable {
  static func == (a: IDTable, b: IDTable) -> Bool { a.elementsEqual(b) }
}

extension IDTable: Hashable where Element: Hashable {
  func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for element in self { hasher.combine(element) }
  }
}
