package import ObjectModel
package import Vocabulary

/// The stores of a coordinator, their metadata, and the store of an object.
extension ObjectGraph {
  func isAttached(_ store: StoreID, for context: ContextID) -> Bool {
    coordinators[contexts[context.index].coordinator.index].stores.contains(store)
  }

  /// Decides whether a row is reachable. Its store must be attached to the coordinator, and must
  /// not have been destroyed since the store created the ID. §attached-to
  func isInReach(_ row: ObjectID, for context: ContextID) -> Bool {
    guard let store = row.store, isAttached(store, for: context) else { return false }
    return !stores[store.index].isDestroyed(row)
  }

  /// Returns false if the context does not have the object, and the store of its ID was removed or
  /// destroyed. §object-with.2
  package func hasStore(for id: ObjectID, in context: ContextID) -> Bool {
    if lookup(id, in: context) != nil { return true }
    let row = row(of: id)
    return row.isTemporaryID || isInReach(row, for: context)
  }

  func takes(_ entity: EntityID, _ store: StoreID) -> Bool {
    stack.stores[store.index].entities?.contains(entity) ?? true
  }

  /// Finds the store of an object: the store of its row, its assigned store, or the first attached
  /// store that accepts its entity (PS-01). §store-of
  func store(of id: ObjectID, for context: ContextID) -> StoreID? {
    if let store = row(of: id).store ?? identities[id.number - 1].assignedStore { return store }
    for store in coordinators[contexts[context.index].coordinator.index].stores
    where takes(id.entity, store) {
      return store
    }
    return nil
  }

  /// Returns the store of an object, or `nil` if that store is not attached.
  func attachedStore(of id: ObjectID, for context: ContextID) -> StoreID? {
    guard let store = store(of: id, for: context), isAttached(store, for: context) else {
      return nil
    }
    return store
  }

  func attachedRow(_ id: ObjectID, for context: ContextID) -> Row? {
    guard let store = id.store, isAttached(store, for: context) else { return nil }
    return stores[store.index][id]
  }

  /// Checks the stores of a root's commit, and relationships between stores. §check-stores
  func checkStores(
    of changes: Changes, watched: [Int], in context: ContextID
  ) throws(StepFailure) {
    let c = context.index
    for change in changes.all where change.kind == .inserted {
      let id = contexts[c].id(of: change.slot)
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
      || change.kind == .updated && contexts[c].isWritten(change.slot, by: setting)
    {
      try checkStore(of: change.slot, in: context)
    }
    for slot in watched { try checkStore(of: slot, in: context) }
    try checkRelationships(of: changes, in: context)
  }

  /// Checks that the row of an object, if it has one, is reachable. §check-stores.2.1
  private func checkStore(of slot: Int, in context: ContextID) throws(StepFailure) {
    let id = contexts[context.index].id(of: slot)
    let row = row(of: id)
    if !row.isTemporaryID, !isInReach(row, for: context) {
      throw StepFailure(failure: .unreachableStore(id))
    }
  }

  /// Checks that no relationship leads to another store (RL-04). §check-store-boundaries
  private func checkRelationships(
    of changes: Changes, in context: ContextID
  ) throws(StepFailure) {
    let areDestroyed = stores.contains { $0.destroyedKeyCount > 0 }
    guard stack.stores.count > 1 || areDestroyed else { return }
    for change in changes.all where change.isKept {
      let slot = change.slot
      let id = contexts[context.index].id(of: slot)
      for (index, shape) in shapes[id.entity.index].enumerated() where shape.isRelationship {
        for destination in destinations(of: shape, slot, in: context) {
          // §check-store-boundaries.1.2.2: a deleted object may have no store.
          guard let other = store(of: destination, for: context),
            other != store(of: id, for: context) || isOfDestroyedStore(destination)
          else { continue }
          throw StepFailure(failure: .crossStore(id, PropertyID(index)))
        }
      }
    }
  }

  /// Decides whether the row of an object belongs to a destroyed store.
  /// §check-store-boundaries.1.2.1
  private func isOfDestroyedStore(_ id: ObjectID) -> Bool {
    let row = row(of: id)
    return row.store.map { stores[$0.index].isDestroyed(row) } ?? false
  }

  /// Assigns an object to a store. §assign
  mutating func assign(
    _ name: ObjectName, to store: StoreID, in context: ContextID
  ) throws(StepFailure) {
    guard let slot = try held(name, in: context) else { return }
    let id = contexts[context.index].id(of: slot)
    guard row(of: id).isTemporaryID else { throw StepFailure(failure: .alreadySaved(id)) }
    guard isAttached(store, for: context), takes(id.entity, store) else {
      throw StepFailure(failure: .noStore(id.entity))
    }
    assert(id.isTemporaryID, "\(id) has a store already")
    identities[id.number - 1].assignedStore = store
  }

  /// Removes a store. Its rows become inaccessible, but realised instances stay (PS-07).
  /// §remove-store
  mutating func removeStore(_ store: StoreID, under context: ContextID) {
    guard isAttached(store, for: context) else { return result.events.append(.nothing) }
    detach(store, from: contexts[context.index].coordinator)
  }

  /// Destroys a store that is attached to this coordinator or to none. Does nothing while another
  /// coordinator has the store. §destroy-store
  mutating func destroyStore(_ store: StoreID, isRecreated: Bool, under context: ContextID) {
    let coordinator = contexts[context.index].coordinator
    for other in coordinators.indices
    where other != coordinator.index && coordinators[other].stores.contains(store) {
      return result.events.append(.nothing)
    }
    if isAttached(store, for: context) { detach(store, from: coordinator) }
    stores[store.index].destroy()
    metadata[store.index] = 0
    assert(stores[store.index].ids.isEmpty, "a row outlives its store")
    if isRecreated { addStore(store, under: context) }
  }

  /// Detaches a store from a coordinator, with both notifications. §remove-store.3
  private mutating func detach(_ store: StoreID, from coordinator: CoordinatorID) {
    marks.insert(.storeRemoved)
    result.events.append(.willRemoveStore(coordinator, store))
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
    result.events.append(.storesDidChange(coordinator, added: [], removed: [store]))
  }

  /// Adds a store to the coordinator of a context. §add-store
  mutating func addStore(_ store: StoreID, under context: ContextID) {
    let isElsewhere = coordinators.contains { $0.stores.contains(store) }
    guard !isAttached(store, for: context),
      !(stack.stores[store.index].isInMemory && isElsewhere)
    else { return result.events.append(.nothing) }
    let coordinator = contexts[context.index].coordinator
    if bugs.contains(.addedStoreComesFirst) {
      coordinators[coordinator.index].stores.insert(store, at: 0)
    } else {
      coordinators[coordinator.index].stores.append(store)
    }
    assert(isAttached(store, for: context), "store \(store.index) was not attached")
    result.events.append(.storesDidChange(coordinator, added: [store], removed: []))
  }

  // MARK: Metadata

  /// Sets the metadata of a store, which the next save writes. §set-metadata
  mutating func setMetadata(_ number: Int, of store: StoreID, under context: ContextID) {
    guard isAttached(store, for: context) else { return result.events.append(.nothing) }
    coordinators[contexts[context.index].coordinator.index].pendingMetadata[store.index] = number
  }

  /// Reads the metadata of a store. §read-metadata
  mutating func readMetadata(of store: StoreID, under context: ContextID) {
    result.events.append(isAttached(store, for: context) ? .count(metadata[store.index]) : .nothing)
  }

  /// Writes pending metadata in a root's save, with changes or without (CS-A13, X-07).
  /// §write-metadata
  mutating func writeMetadata(hasChanges: Bool, of context: ContextID) {
    guard hasChanges || !quirks.contains(.emptySaveLeavesMetadata) else {  // §commit.5.3
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
