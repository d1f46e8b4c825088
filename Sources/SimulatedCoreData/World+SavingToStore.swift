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
    let temporaries = changes.inserted.map { contexts[c].objects[$0].id }.filter(\.isTemporaryID)
    var pairs: [(temporary: ObjectID, permanent: ObjectID)] = []
    for temporary in temporaries {
      pairs.append((temporary, takePermanentID(for: temporary, in: context)))
    }
    rename(pairs, in: renaming)

    let written = slotsToWrite(of: changes, in: context)
    precondition(
      written.starts(with: changes.inserted), "an insertion is not written, or not first")
    var replaced: [Row?] = []
    for slot in written { replaced.append(storedRow(row(of: contexts[c].objects[slot].id))) }
    let deleted = rows(ofSlots: changes.deleted, in: context)
    write(
      written, over: replaced, whole: changes.resolved, deleting: deleted, winners, from: context)
    note(changes, winners, in: context)
    requested.inserted = rows(ofSlots: changes.inserted, in: context).sorted()
    // First come those that are inserted: all of them are written.
    let updated = Array(written.dropFirst(changes.inserted.count))
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
    let count = written.count + deleted.count + winners.count
    if bugs.contains(.tearsSaves), count > 1, let slot = written.last {
      let id = row(of: contexts[c].objects[slot].id)
      if let store = id.store { stores[store.index][id] = replaced.last ?? nil }
    }
  }

  /// Writes the rows of the slots `written`, which replace `replaced`, deletes others, and brings
  /// the row cache up to date. Those of `resolved` are written as a whole if their policy says so,
  /// or brings their rows back.
  private mutating func write(
    _ written: [Int], over replaced: [Row?], whole resolved: [Int], deleting deleted: [ObjectID],
    _ winners: [ObjectID], from context: ContextID
  ) {
    let c = context.index
    let overwrites = contexts[c].mergePolicy == .overwrite
    var touched = winners
    for (slot, theirs) in zip(written, replaced) {
      // An object that is inserted again may have a row already (ID-34).
      writeValues(of: slot, isNew: theirs == nil, from: context)
      touched.append(row(of: contexts[c].objects[slot].id))
    }
    for (slot, theirs) in zip(written, replaced) {
      let isWhole = resolved.contains(slot) && (overwrites || theirs == nil)
      writeRelationships(
        of: slot, against: theirs, isWhole: isWhole, touched: &touched, from: context)
    }
    // The order comes last: by now all members are there.
    for (slot, theirs) in zip(written, replaced) {
      writeOrder(of: slot, isNew: theirs == nil, from: context)
    }
    let count = written.count + deleted.count + winners.count
    if count > 0 { storeAccess.write(rows: count) }
    deleteRows(deleted, touched: &touched)
    updateCache(
      of: contexts[c].coordinator, touched: touched,
      written: winners + rows(ofSlots: written, in: context), deleted: deleted)
  }

  /// What the notification of the save will say.
  private mutating func note(
    _ changes: Changes, _ winners: [ObjectID], in context: ContextID
  ) {
    let c = context.index
    contexts[c].committed.inserted = ids(of: changes.inserted, in: context)
    let listed = ids(of: changes.updated, in: context)
    contexts[c].committed.updated = listing(winners, besides: listed, in: context)
    contexts[c].committed.deleted = ids(of: changes.deleted, in: context)
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
