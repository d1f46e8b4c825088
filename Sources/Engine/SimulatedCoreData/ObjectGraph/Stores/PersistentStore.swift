import ObjectModel

/// A row of a store, or its copy in a row cache.
struct Row: Hashable {
  var id: ObjectID
  /// The version that optimistic locking compares: 1 after the insertion, and 1 more with each
  /// update.
  var version: Int
  var values: [Value]
  var collections: [[ObjectID]]
}

/// Rows by key, from 1, and the rows that the running action may have changed. Counterpart of the
/// contents of an in-memory `NSPersistentStore`.
struct RowTable: Hashable {
  private var rows: [Row?] = []
  /// IDs of all rows, by key.
  private(set) var ids: [ObjectID] = []

  /// The number of keys ever used, including the keys of removed rows.
  private(set) var keyCount = 0
  /// The number of keys that a store used before it was destroyed.
  private(set) var destroyedKeyCount = 0
  var presentCount: Int { rows.count { $0 != nil } }
  /// The IDs of rows written since this list was emptied. An ID may occur twice.
  private(set) var touched: [ObjectID] = []
  private let notesTouched: Bool

  /// - Parameter notesTouched: Whether to record touched rows. Pass `false` for a row cache, whose
  ///   touched rows are never queried.
  init(notesTouched: Bool = true) { self.notesTouched = notesTouched }

  subscript(id: ObjectID) -> Row? {
    get {
      assert(!id.isTemporaryID && id.number >= 1, "\(id) names no row")
      return id.number <= rows.count ? rows[id.number - 1] : nil
    }
    set {
      assert(!id.isTemporaryID && id.number >= 1, "\(id) names no row")
      assert(newValue.map { $0.id == id } ?? true, "another row is put under \(id)")
      if rows.capacity == 0 { reserve(id.number) }
      if notesTouched { touched.append(id) }
      while rows.count < id.number { rows.append(nil) }
      let isListed = contains(id)
      if case .some = newValue {
        if !isListed { ids.insert(id, at: position(of: id)) }
      } else if isListed {
        ids.remove(at: position(of: id))
      }
      rows[id.number - 1] = newValue
    }
  }

  /// Reserves memory for several rows. Lists that grow one by one would allocate memory four times.
  private mutating func reserve(_ count: Int) {
    rows.reserveCapacity(max(8, count))
    ids.reserveCapacity(8)
    if notesTouched { touched.reserveCapacity(8) }
  }

  /// Returns the version of a row, or 0 if the table has no such row.
  func version(of id: ObjectID) -> Int {
    id.number <= rows.count ? rows[id.number - 1]?.version ?? 0 : 0
  }

  func contains(_ id: ObjectID) -> Bool {
    guard id.number <= rows.count else { return false }
    // A comparison with nil would copy the row.
    if case .some = rows[id.number - 1] { return true }
    return false
  }

  mutating func takeKey() -> Int {
    keyCount += 1
    assert(keyCount >= rows.count, "key \(keyCount) was given out already")
    return keyCount
  }

  mutating func modify<Result>(_ id: ObjectID, _ body: (inout Row) -> Result) -> Result? {
    guard contains(id) else { return nil }
    if notesTouched { touched.append(id) }
    defer { assert(rows[id.number - 1]?.id == id, "the row \(id) has changed its ID") }
    return body(&rows[id.number - 1]!)
  }

  /// Removes all rows. Their keys are not used again.
  mutating func removeAll() {
    if notesTouched { touched += ids }
    rows.removeAll()
    ids.removeAll()
  }

  /// Destroys the store. A store added in its place is a different store.
  mutating func destroy() {
    removeAll()
    destroyedKeyCount = keyCount
  }

  /// Returns a Boolean value that indicates whether the row belongs or belonged to a destroyed
  /// store.
  func isDestroyed(_ id: ObjectID) -> Bool { id.number <= destroyedKeyCount }

  /// Returns the position of the ID in `ids`, or the position where the ID belongs. Usually this is
  /// the end.
  private func position(of id: ObjectID) -> Int {
    if let last = ids.last, last.number < id.number { return ids.count }
    var (low, high) = (0, ids.count)
    while low < high {
      let middle = (low + high) / 2
      if ids[middle].number < id.number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Calls `body` with every row. `body` returns `true` if it changed the row.
  mutating func changeEach(_ body: (inout Row) -> Bool) {
    for id in ids where body(&rows[id.number - 1]!) {
      assert(rows[id.number - 1]?.id == id, "the row \(id) has changed its ID")
      if notesTouched { touched.append(id) }
    }
  }

  /// Takes the memory of another table's lists, without its rows.
  mutating func takeStorage(of other: inout RowTable) {
    rows.takeStorage(of: &other.rows)
    ids.takeStorage(of: &other.ids)
    touched.takeStorage(of: &other.touched)
  }

  mutating func forgetTouched() { touched.removeFew() }

  static func == (a: RowTable, b: RowTable) -> Bool {
    a.keyCount == b.keyCount && a.rows == b.rows
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(rows)
    hasher.combine(keyCount)
  }
}

/// Counterpart of `NSPersistentStoreCoordinator`, with the row cache that its contexts share.
struct PersistentStoreCoordinator: Hashable {
  /// The attached stores, in the order in which they were added.
  var stores: [StoreID]
  /// The row cache, indexed by store.
  var cache: [RowTable]
  /// The metadata that the next save writes, indexed by store.
  var pendingMetadata: [Int?]
  /// The number of registered instances of each row below this coordinator, indexed by store and
  /// key.
  private(set) var registrations: [[Int]]
  /// Rows that lost their last instance during the running action.
  var unreferenced: [ObjectID] = []

  init(stores: [StoreID], storeCount: Int) {
    self.stores = stores
    assert(stores.allSatisfy { $0.index < storeCount }, "a store is attached that does not exist")
    let all = 0..<storeCount
    cache = all.map { _ in RowTable(notesTouched: false) }
    pendingMetadata = all.map { _ in nil }
    registrations = all.map { _ in [] }
  }

  mutating func addStore() {
    cache.append(RowTable(notesTouched: false))
    pendingMetadata.append(nil)
    registrations.append([])
  }

  mutating func addRegistration(of id: ObjectID, count: Int = 1) {
    assert(count >= 0, "\(count) instances are added")
    guard let store = id.store else { return }
    if registrations[store.index].isEmpty {
      registrations[store.index].reserveCapacity(max(8, id.number))
    }
    while registrations[store.index].count < id.number { registrations[store.index].append(0) }
    registrations[store.index][id.number - 1] += count
  }

  mutating func removeRegistration(of id: ObjectID) {
    guard let store = id.store else { return }
    let count = registrations[store.index][id.number - 1]
    precondition(count > 0, "a row loses an instance that it did not have")
    registrations[store.index][id.number - 1] = count - 1
    if count == 1 { unreferenced.append(id) }
  }

  /// Removes rows that no instance uses any more from the row cache (FL-20). §collect.2
  mutating func dropUnreferenced() {
    for id in unreferenced {
      guard let store = id.store, registrations[store.index][id.number - 1] == 0 else { continue }
      cache[store.index][id] = nil
    }
    unreferenced.removeFew()
  }

  /// Marks a row for a check, because a fetch or load may have cached it without a registered
  /// instance.
  mutating func checkReference(of id: ObjectID) {
    assert(!id.isTemporaryID, "\(id) names no row")
    unreferenced.append(id)
  }

  func hasCached(_ id: ObjectID) -> Bool { id.store.map { cache[$0.index].contains(id) } ?? false }

  subscript(id: ObjectID) -> Row? {
    get { id.store.flatMap { cache[$0.index][id] } }
    set {
      guard let store = id.store else { return }
      cache[store.index][id] = newValue
      if case .some = newValue { addRegistration(of: id, count: 0) }
    }
  }
}
