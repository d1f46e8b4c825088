import ObjectModel
import Vocabulary

/// Changes of stores that bypass contexts, and merges of these changes.
extension ObjectGraph {
  /// Executes a batch request in the attached stores. Bypasses contexts, row caches and validation
  /// (FE-17). §batch
  mutating func execute(_ request: BatchRequest, in context: ContextID) throws(StepFailure) {
    let attached = coordinators[contexts[context.index].coordinator.index].stores.filter {
      request.affectedStores?.contains($0) ?? true
    }
    let taking = attached.filter { takes(request.entity, $0) }
    guard let first = taking.first, !taking.contains(where: { stack.stores[$0.index].isInMemory })
    else { throw StepFailure(failure: .unsupportedRequest(.batch(request.entity))) }
    var sets = ChangeSets()
    switch request.kind {
    case .insert(let rows):
      try askToWrite([first])
      for index in rows.indices {
        insert(record: index, of: rows, request.entity, into: first, &sets, in: context)
      }
      sets.updated.sort()
    case .update(let values):
      sets.updated = matchingRows(request, in: attached, for: context)
      try askToWrite(sets.updated.compactMap(\.store))
      if request.computed.isEmpty {
        for id in sets.updated { update(id, values) }
      } else {
        let all = computedValues(of: request, sets.updated, in: context)
        for (id, computed) in zip(sets.updated, all) { update(id, values + computed) }
      }
      if coordinators.contains(where: { cache in sets.updated.contains { cache[$0] != nil } }) {
        marks.insert(.batchPassesRowCache)
      }
    case .delete:
      sets.deleted = matchingRows(request, in: attached, for: context)
      try askToWrite(sets.deleted.compactMap(\.store))
      var touched: [ObjectID] = []
      if bugs.contains(.batchDeleteLeavesMembers) {
        for id in sets.deleted {
          if let store = id.store { stores[store.index][id] = nil }
        }
      } else {
        deleteRows(sets.deleted, touched: &touched)
      }
      if !touched.isEmpty { marks.insert(.batchDeletesDestination) }
    }
    assert(
      sets.inserted.hasNoDuplicates && sets.updated.hasNoDuplicates && sets.deleted.hasNoDuplicates,
      "a batch request names a row twice")
    result.storeAccess.write(rows: sets.inserted.count + sets.updated.count + sets.deleted.count)
    // §announce
    let number = didSaves.count
    didSaves.append(DidSave(context: context, sets: sets, isBatch: true))
    result.events.append(.batched(sets, number: number))
  }

  private mutating func askToWrite(_ asked: [StoreID]) throws(StepFailure) {
    guard let store = refusal(among: asked), !bugs.contains(.batchIgnoresRefusal) else { return }
    marks.insert(.batchIsRefused)
    throw StepFailure(failure: .refusedWrite(store))
  }

  /// Finds the rows of a batch request. §batch-rows
  private func matchingRows(
    _ request: BatchRequest, in attached: [StoreID], for context: ContextID
  ) -> [ObjectID] {
    var fetch = FetchRequest(entity: request.entity)
    fetch.predicate = request.predicate
    fetch.includesSubentities = request.selection.includesSubentities
    fetch.sortDescriptors = request.selection.sortDescriptors
    let view = predicateView(.stores, of: context, for: request.tree, byRow: true)
    var rows = attached.flatMap { stores[$0.index].ids }.sorted().compactMap { id -> Row? in
      guard concerns(fetch, id.entity), let row = attachedRow(id, for: context),
        matches(fetch, row.values, in: context, byRow: true), holds(request.tree, id, in: view)
      else { return nil }
      return row
    }
    if !fetch.sortDescriptors.isEmpty { rows = sortedByKeyPaths(rows, fetch, for: context) }
    let window = rows.dropFirst(request.selection.offset)
    let limit = request.selection.limit
    return (limit > 0 ? window.prefix(limit) : window).map(\.id).sorted()
  }

  /// Computes the computed values for each row, before the update changes any row. §batch.5.1
  private func computedValues(
    of request: BatchRequest, _ rows: [ObjectID], in context: ContextID
  ) -> [[PropertyValue]] {
    let view = PredicateView(self, .stores, of: context, byRow: true)
    return rows.map { id in
      request.computed.map { PropertyValue($0.property, $0.term.value(for: id, in: view)) }
    }
  }

  /// Inserts a record, or writes it over the row with its unique values (FE-28). §batch-insert
  private mutating func insert(
    record index: Int, of records: [[PropertyValue]], _ entity: EntityID, into store: StoreID,
    _ sets: inout ChangeSets, in context: ContextID
  ) {
    var snapshot = defaults(of: entity)
    for item in records[index] {
      snapshot.values[shapes[entity.index][item.property.index].slot] = item.value
    }
    guard let rival = rival(of: snapshot.values, entity, in: store) else {
      let id = ObjectID.permanent(entity, key: stores[store.index].takeKey(), in: store)
      assert(!stores[store.index].contains(id), "the row \(id) exists already")
      stores[store.index][id] = Row(
        id: id, version: 1, values: snapshot.values, collections: snapshot.collections)
      result.evidence.append(.recorded(id, record: index))
      sets.inserted.append(id)
      return
    }
    guard contexts[context.index].mergePolicy.prefersInsertions else {
      marks.insert(.batchRecordIgnored)
      return
    }
    marks.insert(.batchRowOverwritten)
    result.evidence.append(.recorded(rival, record: index))
    // A further record overwrites values of this request.
    let isFirst = !sets.inserted.contains(rival) && !sets.updated.contains(rival)
    overwriteRow(
      rival, with: snapshot.values, of: entity, from: context,
      given: isFirst ? records[index].map(\.property) : nil)
    _ = stores[store.index].modify(rival) { $0.version += 1 }
    if isFirst { sets.updated.append(rival) }
  }

  /// Returns the row that has the unique values of a record. §batch-insert.2
  private func rival(of values: [Value], _ entity: EntityID, in store: StoreID) -> ObjectID? {
    if bugs.contains(.ignoresUniqueness) { return nil }
    for constraint in constraints where model.entity(entity, inherits: constraint.entity) {
      guard let key = key(of: values, constraint) else { continue }
      let rival = stores[store.index].ids.first { id in
        guard concerns(constraint, id), let row = stores[store.index][id] else { return false }
        return has(key, row.values, constraint)
      }
      if let rival { return rival }
    }
    return nil
  }

  private mutating func update(_ id: ObjectID, _ values: [PropertyValue]) {
    guard let store = id.store else { return }
    assert(stores[store.index].contains(id), "the row \(id) does not exist")
    let slots = values.map { shapes[id.entity.index][$0.property.index].slot }
    let keepsVersion = bugs.contains(.batchKeepsVersion)
    _ = stores[store.index].modify(id) { row in
      for (slot, item) in zip(slots, values) { row.values[slot] = item.value }
      if !keepsVersion { row.version += 1 }
    }
  }

  // MARK: Hearing of it

  /// Merges remote changes, first into the row cache, then into every level from the root down
  /// (NT-30). §merge-remote
  mutating func mergeRemote(_ number: Int, into context: ContextID) {
    precondition(didSaves.indices.contains(number), "nothing was posted under this number")
    mergeRemote(didSaves[number].sets, number: number, into: context)
  }

  private mutating func mergeRemote(_ sets: ChangeSets, number: Int, into context: ContextID) {
    if !bugs.contains(.remoteMergeTrustsCache) {
      for id in (sets.inserted + sets.updated + sets.deleted).sorted() {
        renewCache(of: row(of: id), for: context)
      }
    }
    for level in stack.chain(from: context).reversed() { merge(sets, number: number, into: level) }
  }

  /// Replaces the cached row of an object with the stored row. §merge-remote.1
  private mutating func renewCache(of id: ObjectID, for context: ContextID) {
    let coordinator = contexts[context.index].coordinator.index
    guard let store = id.store, isAttached(store, for: context),
      coordinators[coordinator][id] != nil
    else { return }
    result.storeAccess.read(rows: stores[store.index][id] == nil ? 0 : 1)
    if stores[store.index][id] == nil { marks.insert(.remoteDeletionCached) }
    coordinators[coordinator][id] = stores[store.index][id]
  }

  /// Merges history: the writes of other roots since this context last merged history.
  /// §merge-history
  mutating func mergeHistory(into context: ContextID) {
    let first = contexts[context.index].historyToken
    assert(first <= didSaves.count, "context \(context.index) is ahead of its history")
    let numbers = first..<didSaves.count
    if !bugs.contains(.historyIsReadAgain) { contexts[context.index].historyToken = didSaves.count }
    let root = stack.chain(from: context).last
    for number in numbers {
      let written = didSaves[number]
      let isRecorded = written.isBatch || contexts[written.context.index].isRoot
      guard isRecorded, stack.chain(from: written.context).last != root else { continue }
      var sets = ChangeSets()
      func isTold(_ id: ObjectID) -> Bool {
        let row = row(of: id)
        return isInReach(row, for: context)
          && row.store.map { !stack.stores[$0.index].isInMemory } ?? false
      }
      sets.inserted = written.sets.inserted.filter(isTold)
      sets.updated = written.sets.updated.filter(isTold)
      if !bugs.contains(.historyForgetsDeletions) {
        sets.deleted = written.sets.deleted.filter(isTold)
      }
      guard !sets.isEmpty else { continue }
      marks.insert(.historyMerged)
      mergeRemote(sets, number: number, into: context)
    }
  }
}
