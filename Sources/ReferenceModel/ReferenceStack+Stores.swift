import ObjectModel
import Vocabulary

/// Stores that come and go, their metadata, and the store that an object goes to.
extension ReferenceStack {
  func isAttached(_ store: StoreID, to coordinator: CoordinatorID) -> Bool {
    coordinators[coordinator.index].stores.contains(store)
  }

  func isAttached(_ store: StoreID, above c: ContextID) -> Bool {
    isAttached(store, to: contexts[c.index].coordinator)
  }

  /// PS-05: an ID has the UUID of its store, and a store that was made anew has another.
  private func isOfDestroyedStore(_ row: ObjectID) -> Bool {
    row.store.map { row.number < stores[$0.index].firstKey } ?? false
  }

  /// Whether the store that made `row` is there.
  func isWithinReach(_ row: ObjectID, of c: ContextID) -> Bool {
    guard let store = row.store else { return false }
    return isAttached(store, above: c) && !isOfDestroyedStore(row)
  }

  /// Whether `d` cannot be in the store `home`, as it is now (RL-04).
  func isOutside(_ home: StoreID?, _ d: ObjectID, under c: ContextID) -> Bool {
    if isOfDestroyedStore(row(d)) { return true }
    return store(of: d, under: c).map { $0 != home } ?? false
  }

  func takes(_ store: StoreID, _ entity: EntityID) -> Bool {
    stack.stores[store.index].entities?.contains(entity) ?? true
  }

  /// The attached stores that take `entity`; its objects go to the first (PS-01), which is
  /// `firstStore`.
  func stores(taking entity: EntityID, above c: ContextID) -> [StoreID] {
    coordinators[contexts[c.index].coordinator.index].stores.filter { takes($0, entity) }
  }

  /// Where the object is, or will be; nil if no store takes it.
  func store(of id: ObjectID, under c: ContextID) -> StoreID? {
    let row = row(id)
    if let store = row.store { return store }
    if let assigned = births[row.number - 1].assignedStore { return assigned }
    return firstStore(taking: row.entity, above: c)
  }

  /// A loop, for it is asked in methods that change the stack (see `HeldInPlace`).
  private func firstStore(taking entity: EntityID, above c: ContextID) -> StoreID? {
    for store in coordinators[contexts[c.index].coordinator.index].stores
    where takes(store, entity) {
      return store
    }
    return nil
  }

  mutating func assign(_ name: ObjectName, to store: StoreID, in c: ContextID) {
    guard let x = resolve(name, in: c) else { return }
    guard row(x).isTemporaryID else {
      // RL-05.
      events.append(.failed(.alreadySaved(x)))
      return
    }
    guard isAttached(store, above: c), takes(store, x.entity) else {
      events.append(.failed(.noStore(x.entity)))
      return
    }
    assert(x.isTemporaryID, "\(x) has a store already")
    births[x.number - 1].assignedStore = store
  }

  /// The first object of `commit` that has no store to go to.
  func storeFailure(of commit: Commit, in c: ContextID) -> Failure? {
    for x in commit.inserted {
      guard let store = store(of: x, under: c) else { return .noStore(x.entity) }
      if !isAttached(store, above: c) || isOfDestroyedStore(row(x)) { return .unreachableStore(x) }
    }
    return outOfReach(commit.written, of: c) ?? outOfReach(commit.deleted, of: c)
      ?? outOfReach(commit.watched, of: c)
  }

  private func outOfReach(_ objects: [ObjectID], of c: ContextID) -> Failure? {
    for x in objects {
      // An object that never had a row is in no store that could be missed.
      if !row(x).isTemporaryID, !isWithinReach(row(x), of: c) { return .unreachableStore(x) }
    }
    return nil
  }

  // MARK: Coming and going

  mutating func removeStore(_ store: StoreID, in c: ContextID) {
    let coordinator = contexts[c.index].coordinator
    guard isAttached(store, to: coordinator) else {
      events.append(.nothing)
      return
    }
    // CS-A4.
    events.append(.willRemoveStore(coordinator, store))
    coordinators[coordinator.index].stores.removeAll { $0 == store }
    coordinators[coordinator.index].pendingMetadata[store.index] = nil
    for id in rowCaches[coordinator.index].ids where id.store == store {
      rowCaches[coordinator.index].remove(id)
    }
    if stack.stores[store.index].isInMemory { stores[store.index].rows.removeAll() }
    assert(!isAttached(store, to: coordinator), "store \(store.index) was attached twice")
    events.append(.storesDidChange(coordinator, added: [], removed: [store]))
  }

  /// CS-A7: the file is emptied, and what is added in its place is another store.
  mutating func destroyStore(_ store: StoreID, _ isMadeAnew: Bool, in c: ContextID) {
    let own = contexts[c.index].coordinator
    let isUsedElsewhere = coordinators.indices.contains { index in
      CoordinatorID(index) != own && isAttached(store, to: CoordinatorID(index))
    }
    if isUsedElsewhere {
      events.append(.nothing)
      return
    }
    if isAttached(store, to: own) { removeStore(store, in: c) }
    stores[store.index].rows.removeAll()
    stores[store.index].metadata = 0
    stores[store.index].firstKey = stores[store.index].temporaryIDs.count + 1
    if isMadeAnew { addStore(store, in: c) }
  }

  mutating func addStore(_ store: StoreID, in c: ContextID) {
    let coordinator = contexts[c.index].coordinator
    // PS-06: a store that is in memory belongs to one coordinator.
    let isTaken =
      stack.stores[store.index].isInMemory && coordinators.contains { $0.stores.contains(store) }
    guard !isAttached(store, to: coordinator), !isTaken else {
      events.append(.nothing)
      return
    }
    coordinators[coordinator.index].stores.append(store)
    assert(isAttached(store, to: coordinator), "store \(store.index) was not attached")
    events.append(.storesDidChange(coordinator, added: [store], removed: []))
  }

  // MARK: Metadata

  mutating func setMetadata(_ number: Int, of store: StoreID, in c: ContextID) {
    guard isAttached(store, above: c) else {
      events.append(.nothing)
      return
    }
    coordinators[contexts[c.index].coordinator.index].pendingMetadata[store.index] = number
  }

  mutating func metadata(of store: StoreID, in c: ContextID) {
    guard isAttached(store, above: c) else {
      events.append(.nothing)
      return
    }
    events.append(.count(stores[store.index].metadata))
  }

  /// SV-27: with the save of any root, whatever else it saves.
  mutating func writeMetadata(of coordinator: CoordinatorID) {
    for store in stores.indices {
      guard let number = coordinators[coordinator.index].pendingMetadata[store] else { continue }
      stores[store].metadata = number
      coordinators[coordinator.index].pendingMetadata[store] = nil
    }
  }
}
