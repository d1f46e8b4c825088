import ObjectModel
import Vocabulary

/// What happens in the stores behind the contexts' backs, and how contexts hear of it.
extension ReferenceStack {
  /// FE-17: no validation, no cache, no context.
  mutating func execute(_ request: BatchRequest, in c: ContextID) {
    let homes = stores(taking: request.entity, above: c)
    // FE-18.
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
        // The new values are of one row: what is set in others does not matter to it.
        let terms = request.computed.map { item in
          PropertyValue(item.property, amount(of: item.term, id, storedUnder: coordinator))
        }
        set(values + terms, ofRow: id)
        // MP-28.
        self[row: id].version += 1
      }
    case .delete:
      sets.deleted = rows(matching: request, in: c)
      if isRefused(sets.deleted.map(\.store)) { return }
      var touched: [ObjectID] = []
      deleteRows(sets.deleted, &touched)
    case .insert(let records):
      if isRefused([home]) { return }
      for values in records {
        let id = nextPermanentID(of: request.entity, in: home, insteadOf: nil)
        var snapshot = shapes[request.entity.index].defaults
        snapshot.version = 1
        stores[home.index].rows.put(Row(id: id, snapshot: snapshot))
        set(values, ofRow: id)
        sets.inserted.append(id)
      }
    }
    events.append(.batched(sets, number: announce(sets, by: c, isOfStores: true)))
  }

  /// Whether the request ends here because a store with one of its rows cannot write.
  private mutating func isRefused(_ places: [StoreID?]) -> Bool {
    guard let failure = writeFailure(at: places) else { return false }
    events.append(.failed(failure))
    return true
  }

  private mutating func set(_ values: [PropertyValue], ofRow id: ObjectID) {
    for item in values {
      let slot = shape(of: item.property.index, of: id).slot
      assert(hasRow(id), "the row \(id) is gone")
      self[row: id].values[slot] = item.value
    }
  }

  /// By stored values, whatever the contexts show.
  private func rows(matching request: BatchRequest, in c: ContextID) -> [ObjectID] {
    let coordinator = contexts[c.index].coordinator
    let conditions = conditions(request.predicate, of: request.entity, comparingRows: true)
    var found: [ObjectID] = []
    let selection = request.selection
    for store in coordinators[coordinator.index].stores {
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

  /// In the order of the request, those behind the offset and no more than the limit.
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

  mutating func mergeRemote(_ number: Int, into c: ContextID) {
    mergeRemote(announcements[number].sets, number, into: c)
  }

  /// NT-30: past the row cache, and through every level.
  private mutating func mergeRemote(_ sets: ChangeSets, _ number: Int, into c: ContextID) {
    for id in sets.inserted + sets.updated + sets.deleted {
      renewCacheEntry(row(id), under: contexts[c.index].coordinator)
    }
    for level in contexts[c.index].chain.reversed() { merge(sets, number, into: level) }
  }

  private mutating func renewCacheEntry(_ id: ObjectID, under coordinator: CoordinatorID) {
    guard rowCaches[coordinator.index].contains(id) else { return }
    if let row = storedRow(id, under: coordinator) {
      cache(row, under: coordinator)
    } else {
      rowCaches[coordinator.index].remove(id)
    }
  }

  /// What other roots, and batch requests below them, wrote since `c` last asked.
  mutating func mergeHistory(_ c: ContextID) {
    let unseen = contexts[c.index].historyToken..<announcements.count
    contexts[c.index].historyToken = announcements.count
    let root = contexts[c.index].chain.last
    for number in unseen
    where announcements[number].isOfStores && announcements[number].root != root {
      let sets = announcements[number].sets
      var told = ChangeSets()
      told.inserted = sets.inserted.filter { isInHistory($0, of: c) }
      told.updated = sets.updated.filter { isInHistory($0, of: c) }
      told.deleted = sets.deleted.filter { isInHistory($0, of: c) }
      if !told.isEmpty { mergeRemote(told, number, into: c) }
    }
  }

  /// An in-memory store has no history.
  private func isInHistory(_ id: ObjectID, of c: ContextID) -> Bool {
    guard let store = row(id).store else { return false }
    return isWithinReach(row(id), of: c) && !stack.stores[store.index].isInMemory
  }
}
