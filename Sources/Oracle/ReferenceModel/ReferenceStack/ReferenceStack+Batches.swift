import ObjectModel
import Vocabulary

/// Batch requests, which change stores without the contexts, and merges of their results.
extension ReferenceStack {
  /// Executes a batch request. Bypasses validation, row caches and contexts (FE-17). §batch
  mutating func execute(_ request: BatchRequest, in c: ContextID) {
    let homes = stores(taking: request.entity, above: c).filter { request.concerns($0) }
    // §batch.2 (FE-18)
    guard let home = homes.first, !homes.contains(where: { stack.stores[$0.index].isInMemory })
    else {
      events.append(.failed(.unsupportedRequest(.batch(request.entity))))
      return
    }
    var sets = ChangeSets()
    switch request.kind {
    case .update(let values):
      sets.updated = rows(matching: request, in: c)
      if isRefused(sets.updated.map(\.store)) { return }
      let coordinator = contexts[c.index].coordinator
      for id in sets.updated {
        // §batch.5.1: computed values depend on this row alone.
        let terms = request.computed.map { item in
          PropertyValue(item.property, amount(of: item.term, id, storedUnder: coordinator))
        }
        set(values + terms, ofRow: id)
        // §batch.5.3 (MP-28)
        self[row: id].version += 1
      }
    case .delete:
      sets.deleted = rows(matching: request, in: c)
      if isRefused(sets.deleted.map(\.store)) { return }
      var touched: [ObjectID] = []
      deleteRows(sets.deleted, &touched)
    case .insert(let records):
      if isRefused([home]) { return }
      for record in records {
        insert(record, of: request.entity, in: home, under: contexts[c.index].mergePolicy, &sets)
      }
      sets.updated.sort()
    }
    events.append(.batched(sets, number: announce(sets, by: c, isOfStores: true)))
  }

  /// Returns true after a failure if a store among `places` refuses the write. §batch.4.2
  private mutating func isRefused(_ places: [StoreID?]) -> Bool {
    guard let failure = writeFailure(at: places) else { return false }
    events.append(.failed(failure))
    return true
  }

  /// Inserts a record. §batch-insert (FE-28)
  private mutating func insert(
    _ record: [PropertyValue], of entity: EntityID, in home: StoreID, under policy: MergePolicy,
    _ sets: inout ChangeSets
  ) {
    let shape = shapes[entity.index]
    var snapshot = shape.defaults
    for item in record { snapshot.values[shape.properties[item.property.index].slot] = item.value }
    if let taken = rowInTheWay(of: snapshot.values, entity, in: home) {
      switch policy {
      case .error, .mergeByPropertyStoreTrump, .rollback: return
      case .mergeByPropertyObjectTrump, .overwrite: break
      }
      let family = commonAncestor(entity, taken.entity)
      for shape in shapes[family.index].properties where !shape.isRelationship && !shape.isTransient
      {
        self[row: taken].values[shape.slot] = snapshot.values[shape.slot]
      }
      self[row: taken].version += 1
      // §batch-insert.7
      if !(sets.inserted + sets.updated).contains(taken) { sets.updated.append(taken) }
    } else {
      let id = nextPermanentID(of: entity, in: home, insteadOf: nil)
      snapshot.version = 1
      stores[home.index].rows.put(Row(id: id, snapshot: snapshot))
      sets.inserted.append(id)
    }
  }

  /// Finds the row with unique values of a new one. §batch-insert.2
  private func rowInTheWay(of values: [Value], _ entity: EntityID, in home: StoreID) -> ObjectID? {
    for constraint in uniquenessConstraints
    where model.entity(entity, inherits: constraint.entity) {
      guard let wanted = uniqueValues(values, constraint) else { continue }
      for row in stores[home.index].rows
      where model.entity(row.id.entity, inherits: constraint.entity)
        && uniqueValues(row.snapshot.values, constraint) == wanted
      {
        return row.id
      }
    }
    return nil
  }

  private mutating func set(_ values: [PropertyValue], ofRow id: ObjectID) {
    for item in values {
      let slot = shape(of: item.property.index, of: id).slot
      assert(hasRow(id), "the row \(id) is gone")
      self[row: id].values[slot] = item.value
    }
  }

  /// Finds the rows of a batch request by their stored values, not by the values that contexts
  /// show. §batch-rows
  private func rows(matching request: BatchRequest, in c: ContextID) -> [ObjectID] {
    let coordinator = contexts[c.index].coordinator
    let conditions = conditions(request.predicate, of: request.entity, comparingRows: true)
    var found: [ObjectID] = []
    let selection = request.selection
    for store in coordinators[coordinator.index].stores where request.concerns(store) {
      for row in stores[store.index].rows
      where model.entity(row.id.entity, inherits: request.entity)
        && (selection.includesSubentities || row.id.entity == request.entity)
        && matches(row.snapshot.values, conditions)
        && holds(request.tree, row.id, storedUnder: coordinator, comparingRows: true)
      {
        found.append(row.id)
      }
    }
    return selected(found.sorted(), request, under: coordinator)
  }

  /// Sorts rows, drops the offset and keeps the limit. §batch-rows.2 to §batch-rows.5
  private func selected(
    _ found: [ObjectID], _ request: BatchRequest, under coordinator: CoordinatorID
  ) -> [ObjectID] {
    var order = FetchRequest(entity: request.entity)
    order.sortDescriptors = request.selection.sortDescriptors
    let keys = found.map { id in
      sortKeys(of: id, order) { storedRow(row($0), under: coordinator)?.snapshot.values }
    }
    let rest = inOrder(of: order, found, keys) { $0 }.dropFirst(request.selection.offset)
    let limit = request.selection.limit
    return rest.prefix(limit == 0 ? rest.count : limit).sorted()
  }

  // MARK: Merging

  /// Merges the remote changes of announcement `number`. §merge-remote
  mutating func mergeRemote(_ number: Int, into c: ContextID) {
    mergeRemote(announcements[number].sets, number, into: c)
  }

  /// Merges remote changes into the row cache and into every level above `c` (NT-30). §merge-remote
  private mutating func mergeRemote(_ sets: ChangeSets, _ number: Int, into c: ContextID) {
    for id in sets.inserted + sets.updated + sets.deleted {
      renewCacheEntry(row(id), under: contexts[c.index].coordinator)
    }
    for level in contexts[c.index].chain.reversed() { merge(sets, number, into: level) }
  }

  /// Renews or removes the row-cache entry of a row. §merge-remote.1.2 to §merge-remote.1.4
  private mutating func renewCacheEntry(_ id: ObjectID, under coordinator: CoordinatorID) {
    guard rowCaches[coordinator.index].contains(id) else { return }
    if let row = storedRow(id, under: coordinator) {
      cache(row, under: coordinator)
    } else {
      rowCaches[coordinator.index].remove(id)
    }
  }

  /// Merges history: the writes of other roots, and of batch requests below them, since `c` last
  /// merged history. §merge-history
  mutating func mergeHistory(_ c: ContextID) {
    let unseen = contexts[c.index].historyToken..<announcements.count
    contexts[c.index].historyToken = announcements.count
    let root = contexts[c.index].chain.last
    for number in unseen
    where announcements[number].isOfStores && announcements[number].root != root {
      let sets = announcements[number].sets
      var visible = ChangeSets()
      visible.inserted = sets.inserted.filter { isInHistory($0, of: c) }
      visible.updated = sets.updated.filter { isInHistory($0, of: c) }
      visible.deleted = sets.deleted.filter { isInHistory($0, of: c) }
      if !visible.isEmpty { mergeRemote(visible, number, into: c) }
    }
  }

  /// Returns true for reachable rows outside of in-memory stores, which have no history.
  /// §merge-history.2.3
  private func isInHistory(_ id: ObjectID, of c: ContextID) -> Bool {
    guard let store = row(id).store else { return false }
    return isWithinReach(row(id), of: c) && !stack.stores[store.index].isInMemory
  }
}

extension BatchRequest {
  /// Returns false for a store that the request excludes.
  fileprivate func concerns(_ store: StoreID) -> Bool {
    affectedStores.map { $0.contains(store) } ?? true
  }
}
