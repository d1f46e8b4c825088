import ObjectModel
import Vocabulary

/// Which stores a coordinator has, what their metadata says, and which store an object goes to.
extension World {
  func isAttached(_ store: StoreID, for context: ContextID) -> Bool {
    coordinators[contexts[context.index].coordinator.index].stores.contains(store)
  }

  /// Whether the coordinator has the store that gave the ID of the row out: not one that was
  /// destroyed, or added in the place of one.
  func isInReach(_ row: ObjectID, for context: ContextID) -> Bool {
    guard let store = row.store, isAttached(store, for: context) else { return false }
    return !stores[store.index].isDestroyed(row)
  }

  func takes(_ entity: EntityID, _ store: StoreID) -> Bool {
    stack.stores[store.index].entities?.contains(entity) ?? true
  }

  /// The store of an object: that of its row, the one that it was assigned to, or the first
  /// attached one that takes its entity (PS-01).
  func store(of id: ObjectID, for context: ContextID) -> StoreID? {
    if let store = row(of: id).store ?? identities[id.number - 1].assignedStore { return store }
    for store in coordinators[contexts[context.index].coordinator.index].stores
    where takes(id.entity, store) {
      return store
    }
    return nil
  }

  /// `store(of:)`, unless it is out of reach.
  func attachedStore(of id: ObjectID, for context: ContextID) -> StoreID? {
    guard let store = store(of: id, for: context), isAttached(store, for: context) else {
      return nil
    }
    return store
  }

  /// A row of a store that the context can reach.
  func attachedRow(_ id: ObjectID, for context: ContextID) -> Row? {
    guard let store = id.store, isAttached(store, for: context) else { return nil }
    return stores[store.index][id]
  }

  /// Everything that a root's save writes needs a store to go to.
  func checkStores(
    of changes: Changes, watched: [Int], in context: ContextID
  ) throws(StepFailure) {
    let c = context.index
    for change in changes.all where change.kind == .inserted {
      let id = contexts[c].objects[change.slot].id
      guard let store = store(of: id, for: context) else {
        throw StepFailure(failure: .noStore(id.entity))
      }
      let row = row(of: id)
      if !isAttached(store, for: context) || !row.isTemporaryID && !isInReach(row, for: context) {
        throw StepFailure(failure: .unreachableStore(id))
      }
    }
    for change in changes.all
    where change.kind == .deleted
      || change.kind == .updated && isWritten(change.slot, in: context)
    {
      try checkStore(of: change.slot, in: context)
    }
    for slot in watched { try checkStore(of: slot, in: context) }
    try checkRelationships(of: changes, in: context)
  }

  /// An object that never had a row is in no store that could be missed.
  private func checkStore(of slot: Int, in context: ContextID) throws(StepFailure) {
    let id = contexts[context.index].objects[slot].id
    let row = row(of: id)
    if !row.isTemporaryID, !isInReach(row, for: context) {
      throw StepFailure(failure: .unreachableStore(id))
    }
  }

  /// A relationship cannot lead from one store into another (RL-04).
  private func checkRelationships(
    of changes: Changes, in context: ContextID
  ) throws(StepFailure) {
    let areDestroyed = stores.contains { $0.destroyedKeyCount > 0 }
    guard stack.stores.count > 1 || areDestroyed else { return }
    for change in changes.all where change.isKept {
      let slot = change.slot
      let id = contexts[context.index].objects[slot].id
      for (index, shape) in shapes[id.entity.index].enumerated() where shape.isRelationship {
        for destination in destinations(of: shape, slot, in: context) {
          // An object that was deleted before any store could take it is in no other one.
          guard let other = store(of: destination, for: context),
            other != store(of: id, for: context) || isOfDestroyedStore(destination)
          else { continue }
          throw StepFailure(failure: .crossStore(id, PropertyID(index)))
        }
      }
    }
  }

  /// Of what is saved itself, it is known that it is not.
  private func isOfDestroyedStore(_ id: ObjectID) -> Bool {
    let row = row(of: id)
    return row.store.map { stores[$0.index].isDestroyed(row) } ?? false
  }

  mutating func assign(
    _ name: ObjectName, to store: StoreID, in context: ContextID
  ) throws(StepFailure) {
    guard let slot = try held(name, in: context) else { return }
    let id = contexts[context.index].objects[slot].id
    guard row(of: id).isTemporaryID else { throw StepFailure(failure: .alreadySaved(id)) }
    guard isAttached(store, for: context), takes(id.entity, store) else {
      throw StepFailure(failure: .noStore(id.entity))
    }
    assert(id.isTemporaryID, "\(id) has a store already")
    identities[id.number - 1].assignedStore = store
  }

  /// Its rows become inaccessible; what is realised keeps what it shows (PS-07).
  mutating func removeStore(_ store: StoreID, under context: ContextID) {
    guard isAttached(store, for: context) else { return events.append(.nothing) }
    detach(store, from: contexts[context.index].coordinator)
  }

  /// Its file is emptied, whether it is attached here or nowhere. While another coordinator has it,
  /// nothing happens.
  mutating func destroyStore(_ store: StoreID, isMadeAnew: Bool, under context: ContextID) {
    let coordinator = contexts[context.index].coordinator
    for other in coordinators.indices
    where other != coordinator.index && coordinators[other].stores.contains(store) {
      return events.append(.nothing)
    }
    if isAttached(store, for: context) { detach(store, from: coordinator) }
    stores[store.index].destroy()
    metadata[store.index] = 0
    assert(stores[store.index].ids.isEmpty, "a row outlives its store")
    if isMadeAnew { addStore(store, under: context) }
  }

  private mutating func detach(_ store: StoreID, from coordinator: CoordinatorID) {
    marks.insert(.storeRemoved)
    events.append(.willRemoveStore(coordinator, store))
    coordinators[coordinator.index].stores.removeAll { $0 == store }
    coordinators[coordinator.index].pendingMetadata[store.index] = nil
    if !bugs.contains(.removedStoreStaysCached) {
      coordinators[coordinator.index].cache[store.index].removeAll()
    }
    if stack.stores[store.index].isInMemory, !bugs.contains(.removedMemoryStoreKeepsRows) {
      stores[store.index].removeAll()
    }
    assert(
      !coordinators[coordinator.index].stores.contains(store),
      "store \(store.index) was attached twice")
    events.append(.storesDidChange(coordinator, added: [], removed: [store]))
  }

  mutating func addStore(_ store: StoreID, under context: ContextID) {
    let isElsewhere = coordinators.contains { $0.stores.contains(store) }
    guard !isAttached(store, for: context),
      !(stack.stores[store.index].isInMemory && isElsewhere)
    else { return events.append(.nothing) }
    let coordinator = contexts[context.index].coordinator
    if bugs.contains(.addedStoreComesFirst) {
      coordinators[coordinator.index].stores.insert(store, at: 0)
    } else {
      coordinators[coordinator.index].stores.append(store)
    }
    assert(isAttached(store, for: context), "store \(store.index) was not attached")
    events.append(.storesDidChange(coordinator, added: [store], removed: []))
  }

  // MARK: Metadata

  mutating func setMetadata(_ number: Int, of store: StoreID, under context: ContextID) {
    guard isAttached(store, for: context) else { return events.append(.nothing) }
    coordinators[contexts[context.index].coordinator.index].pendingMetadata[store.index] = number
  }

  mutating func readMetadata(of store: StoreID, under context: ContextID) {
    events.append(isAttached(store, for: context) ? .count(metadata[store.index]) : .nothing)
  }

  /// What a root's save does besides rows: with changes or without (CS-A13, X-07).
  mutating func writeMetadata(hasChanges: Bool, of context: ContextID) {
    guard hasChanges || !quirks.contains(.emptySaveLeavesMetadata) else {
      return marks.insert(.metadataLeft)
    }
    let coordinator = contexts[context.index].coordinator.index
    for store in coordinators[coordinator].stores {
      guard let number = coordinators[coordinator].pendingMetadata[store.index] else { continue }
      if !bugs.contains(.forgetsMetadata) { metadata[store.index] = number }
      coordinators[coordinator].pendingMetadata[store.index] = nil
    }
  }
}
