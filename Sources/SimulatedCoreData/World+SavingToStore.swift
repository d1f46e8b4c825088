import ObjectModel
import Vocabulary

/// A root's commit: optimistic locking, permanent IDs, rows.
extension World {
  mutating func saveToStore(
    _ changes: inout Changes, requesting requested: inout ChangeSets, from context: ContextID
  ) throws(StepFailure) {
    let c = context.index
    let watched = watched(in: context, besides: changes)
    assert(contexts[c].isRoot, "context \(c) is no root")
    try checkStores(of: changes, watched: watched, in: context)
    try askToWrite(changes, in: context)
    try settleConflicts(&changes, watched: watched, in: context)
    let winners = try settleUniqueness(&changes, in: context)

    // IDs first, so that the rows can refer to each other (ID-35).
    let renaming = contextsThatRename([context])
    for slot in changes.inserted where contexts[c].objects[slot].id.isTemporaryID {
      let temporary = contexts[c].objects[slot].id
      let permanent = takePermanentID(for: temporary, in: context)
      rename(temporary, to: permanent, in: renaming)
    }

    var touched = winners
    let written = slotsToWrite(of: changes, in: context)
    precondition(
      written.starts(with: changes.inserted), "an insertion is not written, or not first")
    var theirs: [Row?] = []
    for slot in written {
      let id = contexts[c].objects[slot].id
      theirs.append(storedRow(row(of: id)))
    }
    for (slot, theirs) in zip(written, theirs) {
      // An object that is inserted again may have a row already (ID-34).
      writeValues(of: slot, isNew: theirs == nil, from: context)
      touched.append(row(of: contexts[c].objects[slot].id))
    }
    for (slot, theirs) in zip(written, theirs) {
      writeRelationships(of: slot, against: theirs, touched: &touched, from: context)
    }
    // The order comes last: by now all members are there.
    for (slot, theirs) in zip(written, theirs) {
      writeOrder(of: slot, isNew: theirs == nil, from: context)
    }
    let deleted = rows(ofSlots: changes.deleted, in: context)
    let count = written.count + deleted.count + winners.count
    if count > 0 { storeAccess.write(rows: count) }
    deleteRows(deleted, touched: &touched)
    updateCache(
      of: contexts[c].coordinator, touched: touched,
      written: winners + rows(ofSlots: written, in: context), deleted: deleted)

    // First come those that are inserted: all of them are written.
    let updated = Array(written.dropFirst(changes.inserted.count))
    contexts[c].committed.inserted = ids(of: changes.inserted, in: context)
    let listed = ids(of: changes.updated, in: context)
    contexts[c].committed.updated = listing(winners, besides: listed, in: context)
    contexts[c].committed.deleted = ids(of: changes.deleted, in: context)
    requested.inserted = rows(ofSlots: changes.inserted, in: context).sorted()
    requested.updated = (rows(ofSlots: updated, in: context) + winners).sorted()
    requested.deleted = deleted.sorted()
    assert(
      requested.deleted.allSatisfy { !requested.updated.contains($0) },
      "a row is updated and deleted")
    for slot in written { showRow(of: slot, in: context) }
    for id in winners { showWinner(id, in: context) }
    for slot in changes.kept { becomeClean(slot, in: context) }
    for slot in changes.deleted { unregister(slot, in: context) }
    endWatch(in: context)
    if bugs.contains(.tearsSaves), count > 1, let slot = written.last {
      let id = row(of: contexts[c].objects[slot].id)
      if let store = id.store { stores[store.index][id] = theirs.last ?? nil }
    }
  }

  func ids(of slots: [Int], in context: ContextID) -> [ObjectID] {
    slots.map { contexts[context.index].objects[$0].id }.sorted()
  }

  private func rows(ofSlots slots: [Int], in context: ContextID) -> [ObjectID] {
    slots.map { row(of: contexts[context.index].objects[$0].id) }
  }

  private func slotsToWrite(of changes: Changes, in context: ContextID) -> [Int] {
    changes.kept.filter { changes.resolved.contains($0) || isWritten($0, in: context) }
  }

  /// `listed`, and those of `rows` that are not among them.
  private func listing(
    _ rows: [ObjectID], besides listed: [ObjectID], in context: ContextID
  ) -> [ObjectID] {
    if rows.isEmpty { return listed }
    let others = rows.map { localized($0, in: context) }.filter { !listed.contains($0) }
    return (listed + others).sorted()
  }

  /// Those of which the versions are compared, by ID.
  private func slotsToCheck(
    of changes: Changes, watched: [Int], in context: ContextID
  ) -> [Int] {
    let written = changes.updated.filter { isWritten($0, in: context) }
    return (written + changes.deleted + watched).sorted {
      contexts[context.index].objects[$0].id < contexts[context.index].objects[$1].id
    }
  }

  /// Compares row versions (MP-02).
  private mutating func settleConflicts(
    _ changes: inout Changes, watched: [Int], in context: ContextID
  ) throws(StepFailure) {
    let c = context.index
    var conflicts: [(slot: Int, theirs: Theirs)] = []
    var described: [Failure.Conflict] = []
    for slot in slotsToCheck(of: changes, watched: watched, in: context) {
      let object = contexts[c].objects[slot]
      let isDeletion = object.flags.contains(.deleted)
      guard let theirs = storedRow(row(of: object.id)) else {
        if isDeletion { continue }  // deleting what is deleted already is no conflict (MP-17)
        conflicts.append((slot, .gone))
        described.append(conflict(of: object, with: nil, in: context))
        continue
      }
      guard theirs.version != object.version, !bugs.contains(.ignoresVersions) else { continue }
      conflicts.append((slot, .there(contents(of: theirs, in: context))))
      described.append(conflict(of: object, with: theirs, in: context))
    }
    if described.contains(where: { $0.objectSnapshot == nil }) { marks.insert(.cacheBehindStore) }
    let policy = contexts[c].mergePolicy
    if policy == .error, !described.isEmpty {
      marks.insert(.mergeConflict)
      throw StepFailure(failure: .mergeConflicts(described))
    }
    var awakened: [ObjectID] = []
    for (slot, theirs) in conflicts {
      let id = contexts[c].objects[slot].id
      let effect =
        watched.contains(slot)
        ? takeTheirs(theirs, for: slot, in: context)
        : resolve(slot, against: theirs, by: policy, in: context)
      if effect.takesTheirs { awakened.append(id) }
      if effect.isSaved {
        changes.resolved.append(slot)
      } else {
        changes.updated.removeAll { $0 == slot }
        changes.deleted.removeAll { $0 == slot }
      }
    }
    for id in awakened { events.append(.awakeFromSnapshot(context, id, .mergePolicy)) }
    for (slot, _) in conflicts
    where changes.resolved.contains(slot) && changes.updated.contains(slot) {
      let entity = contexts[c].objects[slot].id.entity
      for action in model.entities[entity.index].hookActions
      where action.hook == .resolveConflicts && !bugs.contains(.policyEditsNothing) {
        marks.insert(.policyEdited)
        _ = run(action, for: slot, in: context)
      }
    }
  }

  /// Whether the context is behind the row cache, or the row cache behind the store (MP-04).
  private func conflict(
    of object: ManagedObject, with theirs: Row?, in context: ContextID
  ) -> Failure.Conflict {
    var conflict = Failure.Conflict(
      object: object.id, oldVersion: object.version, newVersion: theirs?.version ?? 0)
    let cached = coordinators[contexts[context.index].coordinator.index][row(of: object.id)]
    if let cached, cached.version != theirs?.version {
      conflict.cachedSnapshot = cached.values
      conflict.persistedSnapshot = theirs?.values
    } else {
      conflict.objectSnapshot = object.base.values
      conflict.cachedSnapshot = theirs?.values
    }
    return conflict
  }

  func storedRow(_ id: ObjectID) -> Row? {
    guard let store = id.store else { return nil }
    return stores[store.index][id]
  }

  private mutating func writeValues(of slot: Int, isNew: Bool, from context: ContextID) {
    let object = contexts[context.index].objects[slot]
    let id = row(of: object.id)
    guard let store = id.store else { preconditionFailure("a row needs a permanent ID") }
    assert(isAttached(store, for: context), "\(id) is written to a store that is not attached")
    assert(!object.isFault, "the fault \(id) is written")
    var values = object.current.values
    dropTransients(in: &values, of: id.entity)
    let old = stores[store.index][id]
    assert(isNew == (old == nil), "the row \(id) is new and exists, or old and does not")
    if notesWrites { noteWrites(of: object, values, over: old, from: context) }
    // Relationships are written by the second pass, which keeps both sides right.
    for shape in shapes[id.entity.index] where shape.kind == .toOne {
      values[shape.slot] = isNew ? .null : old?.values[shape.slot] ?? .null
    }
    if isNew {
      stores[store.index][id] = Row(
        id: id, version: object.version + 1, values: values,
        collections: emptyCollections(of: id.entity))
    } else {
      let countsVersions = !bugs.contains(.forgetsVersionBump)
      _ = stores[store.index].modify(id) {
        $0.values = values
        if countsVersions { $0.version += 1 }
      }
    }
  }

  private mutating func noteWrites(
    of object: ManagedObject, _ values: [Value], over old: Row?, from context: ContextID
  ) {
    let before = old?.values ?? model.entities[object.id.entity.index].defaultValues
    for (property, shape) in shapes[object.id.entity.index].enumerated()
    where shape.kind != .toMany {
      let new =
        shape.kind == .attribute
        ? values[shape.slot]
        : rowOfDestination(values[shape.slot]).map { .object($0) } ?? .null
      if new == before[shape.slot] { continue }
      let change = Evidence.Change(
        context: context, object: object.id, property: PropertyID(property), parent: nil)
      evidence.append(.wrote(change, old: before[shape.slot], new: new))
    }
  }

  /// Writes the relationships that the object changes against `theirs`, the row before this save.
  private mutating func writeRelationships(
    of slot: Int, against theirs: Row?, touched: inout [ObjectID], from context: ContextID
  ) {
    let object = contexts[context.index].objects[slot]
    let id = row(of: object.id)
    assert(storedRow(id) != nil, "relationships of the row \(id) are written before it")
    for (index, shape) in shapes[id.entity.index].enumerated() where shape.isRelationship {
      if shape.kind == .toOne {
        let new = rowOfDestination(object.current.values[shape.slot])
        if new != theirs?.values[shape.slot].objectID {
          setRowDestination(new, of: index, id, touched: &touched)
        }
      } else if shape.hasInverse, !shape.inverseIsToMany {
        // The other side says it all; but a row that is written anew has to be told.
        if theirs == nil, !object.flags.contains(.inserted) { collectReferrers(of: id, shape) }
      } else {
        writeDelta(of: object, shape, isNew: theirs == nil, touched: &touched)
      }
    }
  }

  /// Where a stored to-one leads; an object that never got a row is nowhere.
  private func rowOfDestination(_ value: Value) -> ObjectID? {
    guard let id = value.objectID else { return nil }
    let row = row(of: id)
    return row.isTemporaryID ? nil : row
  }

  private mutating func writeOrder(of slot: Int, isNew: Bool, from context: ContextID) {
    let object = contexts[context.index].objects[slot]
    let id = row(of: object.id)
    guard let store = id.store else { return }
    for (index, shape) in shapes[id.entity.index].enumerated()
    where shape.isOrdered && (isNew || isReallyChanged(index, of: object)) {
      let model = object.current.collections[shape.slot].map { row(of: $0) }
      guard let members = stores[store.index][id]?.collections[shape.slot] else { continue }
      let ordered = World.ordered(members, like: model)
      if ordered == members { continue }
      marks.insert(.orderWritten)
      _ = stores[store.index].modify(id) { $0.collections[shape.slot] = ordered }
    }
  }

  /// Sets a row's to-one and both inverses, as `setDestination` does for instances.
  private mutating func setRowDestination(
    _ new: ObjectID?, of property: Int, _ id: ObjectID, touched: inout [ObjectID]
  ) {
    let shape = shapes[id.entity.index][property]
    assert(shape.kind == .toOne, "property \(property) of \(id) has no destination")
    assert(new.map { !$0.isTemporaryID } ?? true, "the row \(id) is to lead to a temporary ID")
    if shape.hasInverse {
      if let old = storedRow(id)?.values[shape.slot].objectID {
        changeInverse(of: shape, at: old, touched: &touched) { back, row in
          if back.kind == .toMany {
            row.collections[back.slot].removeAll { $0 == id }
          } else if row.values[back.slot] == .object(id) {
            row.values[back.slot] = .null
          }
        }
      }
      if let new {
        let back = shapes[new.entity.index][shape.inverse]
        if back.kind == .toOne, let owner = storedRow(new)?.values[back.slot].objectID,
          owner != id, let store = owner.store, stores[store.index].contains(owner)
        {
          let forward = shapes[owner.entity.index][property]
          _ = stores[store.index].modify(owner) { $0.values[forward.slot] = .null }
          touched.append(owner)
        }
        changeInverse(of: shape, at: new, touched: &touched) { back, row in
          if back.kind == .toMany {
            World.insert(id, into: &row.collections[back.slot], ordered: back.isOrdered)
          } else {
            row.values[back.slot] = .object(id)
          }
        }
      }
    }
    guard let store = id.store else { return }
    _ = stores[store.index].modify(id) {
      $0.values[shape.slot] = new.map { .object($0) } ?? .null
    }
  }

  private mutating func changeInverse(
    of shape: PropertyShape, at id: ObjectID, touched: inout [ObjectID],
    _ body: (PropertyShape, inout Row) -> Void
  ) {
    guard let store = id.store, var row = stores[store.index][id] else { return }
    assert(shape.hasInverse, "the relationship to \(id) has no inverse")
    body(shapes[id.entity.index][shape.inverse], &row)
    stores[store.index][id] = row
    touched.append(id)
    assert(row.id == id, "the row \(id) has changed its ID")
  }

  /// To-many relationships merge by what was added and removed, under every policy (MP-14).
  private mutating func writeDelta(
    of object: ManagedObject, _ shape: PropertyShape, isNew: Bool, touched: inout [ObjectID]
  ) {
    let id = row(of: object.id)
    guard let store = id.store else { return }
    let base = isNew ? [] : object.base.collections[shape.slot].map { row(of: $0) }
    let current = object.current.collections[shape.slot].map { row(of: $0) }
    assert(current.hasNoDuplicates, "a relationship of \(id) has a member twice")
    for member in base where !current.contains(member) {
      _ = stores[store.index].modify(id) { $0.collections[shape.slot].removeAll { $0 == member } }
      guard shape.hasInverse else { continue }
      changeInverse(of: shape, at: member, touched: &touched) { back, row in
        row.collections[back.slot].removeAll { $0 == id }
      }
    }
    for member in current where !base.contains(member) {
      guard let memberStore = member.store, stores[memberStore.index].contains(member) else {
        continue
      }
      guard var row = stores[store.index][id] else { continue }
      World.insert(member, into: &row.collections[shape.slot], ordered: shape.isOrdered)
      stores[store.index][id] = row
      guard shape.hasInverse else { continue }
      changeInverse(of: shape, at: member, touched: &touched) { back, row in
        World.insert(id, into: &row.collections[back.slot], ordered: back.isOrdered)
      }
    }
  }

  /// A row that is written anew has the rows that still point to it.
  private mutating func collectReferrers(of id: ObjectID, _ shape: PropertyShape) {
    guard let store = id.store else { return }
    assert(shape.hasInverse, "a relationship of \(id) has no inverse")
    let referrers = stores[store.index].ids.filter { candidate in
      model.entity(candidate.entity, inherits: shape.destination)
        && storedRow(candidate)?.values[
          shapes[candidate.entity.index][shape.inverse].slot] == .object(id)
    }
    _ = stores[store.index].modify(id) { $0.collections[shape.slot] = referrers }
  }

  /// Rows vanish, and vanish from every collection; to-ones are left dangling (RL-09).
  mutating func deleteRows(_ deleted: [ObjectID], touched: inout [ObjectID]) {
    guard !deleted.isEmpty else { return }
    for id in deleted {
      if let store = id.store { stores[store.index][id] = nil }
    }
    guard deleted.contains(where: { isCollected[$0.entity.index] }) else { return }
    var changed: [ObjectID] = []
    for store in stores.indices {
      stores[store].changeEach { row in
        var isChanged = false
        for slot in row.collections.indices
        where row.collections[slot].contains(where: deleted.contains) {
          row.collections[slot].removeAll(where: deleted.contains)
          changed.append(row.id)
          isChanged = true
        }
        return isChanged
      }
    }
    touched += changed
  }

  private mutating func updateCache(
    of coordinator: CoordinatorID, touched: [ObjectID], written: [ObjectID], deleted: [ObjectID]
  ) {
    if bugs.contains(.leavesRowCacheStale) { return }
    for id in touched where written.contains(id) || coordinators[coordinator.index][id] != nil {
      coordinators[coordinator.index][id] = storedRow(id)
      coordinators[coordinator.index].checkReference(of: id)
    }
    assert(!deleted.contains { storedRow($0) != nil }, "a deleted row exists")
    for id in deleted { coordinators[coordinator.index][id] = nil }
  }

  /// A saved object shows its row as it is now, which a merge policy may have changed; its unfired
  /// relationships stay faults.
  mutating func showRow(of slot: Int, in context: ContextID) {
    let c = context.index
    let object = contexts[c].objects[slot]
    guard let row = storedRow(row(of: object.id)) else { return }
    assert(!object.isFault, "the fault \(object.id) is to show its row")
    var loaded = contents(of: row, in: context)
    keepTransients(of: object.current.values, in: &loaded.values, of: object.id.entity)
    contexts[c].objects[slot].current.values = loaded.values
    contexts[c].objects[slot].version = loaded.version
    for (property, shape) in shapes[object.id.entity.index].enumerated()
    where shape.kind == .toMany && !object.unfired.contains(property) {
      contexts[c].objects[slot].current.collections[shape.slot] =
        localized(row.collections[shape.slot], shape, in: context)
    }
  }
}
