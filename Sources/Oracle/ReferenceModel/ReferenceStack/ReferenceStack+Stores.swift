import ObjectModel
import Vocabulary

/// Attaches and detaches stores, keeps their metadata, and finds the store of an object.
extension ReferenceStack {
  func isAttached(_ store: StoreID, to coordinator: CoordinatorID) -> Bool {
    coordinators[coordinator.index].stores.contains(store)
  }

  func isAttached(_ store: StoreID, above c: ContextID) -> Bool {
    isAttached(store, to: contexts[c.index].coordinator)
  }

  /// Returns true if the row belongs to a destroyed store. Its ID contains the UUID of that store.
  /// The store in its place has another UUID (PS-05). §destroy-store.4
  private func isOfDestroyedStore(_ row: ObjectID) -> Bool {
    row.store.map { row.number < stores[$0.index].firstKey } ?? false
  }

  /// Decides whether a row is reachable from `c`. §attached-to
  func isWithinReach(_ row: ObjectID, of c: ContextID) -> Bool {
    guard let store = row.store else { return false }
    return isAttached(store, above: c) && !isOfDestroyedStore(row)
  }

  /// Decides whether `d` cannot be in the present store `home` (RL-04). §check-store-boundaries.1.2
  func isOutside(_ home: StoreID?, _ d: ObjectID, under c: ContextID) -> Bool {
    if isOfDestroyedStore(row(d)) { return true }
    return store(of: d, under: c).map { $0 != home } ?? false
  }

  func takes(_ store: StoreID, _ entity: EntityID) -> Bool {
    stack.stores[store.index].entities?.contains(entity) ?? true
  }

  /// Returns the attached stores that accept `entity`. Objects go to the first store (PS-01).
  /// §batch.1
  func stores(taking entity: EntityID, above c: ContextID) -> [StoreID] {
    coordinators[contexts[c.index].coordinator.index].stores.filter { takes($0, entity) }
  }

  /// Finds the present or future store of an object. Returns nil if no store accepts it. §store-of
  func store(of id: ObjectID, under c: ContextID) -> StoreID? {
    let row = row(id)
    if let store = row.store { return store }
    if let assigned = births[row.number - 1].assignedStore { return assigned }
    return firstStore(taking: row.entity, above: c)
  }

  /// Returns the first attached store that accepts `entity`. §store-of.3
  ///
  /// Uses a loop instead of a closure, because mutating methods call it (see `HeldInPlace`).
  private func firstStore(taking entity: EntityID, above c: ContextID) -> StoreID? {
    for store in coordinators[contexts[c.index].coordinator.index].stores
    where takes(store, entity) {
      return store
    }
    return nil
  }

  /// Assigns an object to a store. §assign
  mutating func assign(_ name: ObjectName, to store: StoreID, in c: ContextID) {
    guard let x = resolve(name, in: c) else { return }
    guard row(x).isTemporaryID else {
      // §assign.2 (RL-05)
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

  /// Checks the stores of a commit. §check-stores
  func storeFailure(of commit: Commit, in c: ContextID) -> Failure? {
    for x in commit.inserted {
      guard let store = store(of: x, under: c) else { return .noStore(x.entity) }
      if !isAttached(store, above: c) || isOfDestroyedStore(row(x)) { return .unreachableStore(x) }
    }
    return outOfReach(commit.written, of: c) ?? outOfReach(commit.deleted, of: c)
      ?? outOfReach(commit.watched, of: c)
  }

  /// Returns a failure for the first object whose row is not reachable. §check-stores.2
  private func outOfReach(_ objects: [ObjectID], of c: ContextID) -> Failure? {
    for x in objects {
      // An object that never had a row is in no store that could be missing.
      if !row(x).isTemporaryID, !isWithinReach(row(x), of: c) { return .unreachableStore(x) }
    }
    return nil
  }

  // MARK: Coming and going

  /// Removes a store from the coordinator of `c`. §remove-store
  mutating func removeStore(_ store: StoreID, in c: ContextID) {
    let coordinator = contexts[c.index].coordinator
    guard isAttached(store, to: coordinator) else {
      events.append(.nothing)
      return
    }
    // §remove-store.2 (CS-A4)
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

  /// Destroys a store. A store added in its place is a different store (CS-A7). §destroy-store
  mutating func destroyStore(_ store: StoreID, _ isRecreated: Bool, in c: ContextID) {
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
    if isRecreated { addStore(store, in: c) }
  }

  /// Adds a store to the coordinator of `c`. §add-store
  mutating func addStore(_ store: StoreID, in c: ContextID) {
    let coordinator = contexts[c.index].coordinator
    // §add-store.2: an in-memory store belongs to one coordinator (PS-06).
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

  /// Sets the pending metadata of a store. §set-metadata
  mutating func setMetadata(_ number: Int, of store: StoreID, in c: ContextID) {
    guard isAttached(store, above: c) else {
      events.append(.nothing)
      return
    }
    coordinators[contexts[c.index].coordinator.index].pendingMetadata[store.index] = number
  }

  /// Reads the metadata of a store. §read-metadata
  mutating func metadata(of store: StoreID, in c: ContextID) {
    guard isAttached(store, above: c) else {
      events.append(.nothing)
      return
    }
    events.append(.count(stores[store.index].metadata))
  }

  /// Writes pending metadata, with the save of any root below the coordinator (SV-27).
  /// §write-metadata
  mutating func writeMetadata(of coordinator: CoordinatorID) {
    for store in stores.indices {
      guard let number = coordinators[coordinator.index].pendingMetadata[store] else { continue }
      stores[store].metadata = number
      coordinators[coordinator.index].pendingMetadata[store] = nil
    }
  }
}
