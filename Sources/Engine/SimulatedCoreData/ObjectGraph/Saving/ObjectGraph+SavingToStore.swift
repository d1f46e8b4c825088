import ObjectModel
import Vocabulary

/// A root's commit: optimistic locking, permanent IDs, rows.
extension ObjectGraph {
  /// Commits the changes of a root to its stores. §commit-to-stores
  mutating func saveToStore(
    _ changes: inout Changes, requesting requested: inout ChangeSets, from context: ContextID
  ) throws(StepFailure) {
    let c = context.index
    let watched = contexts[c].watched(besides: changes, by: setting)
    assert(contexts[c].isRoot, "context \(c) is no root")
    try checkStores(of: changes, watched: watched, in: context)
    try askToWrite(changes, in: context)
    try settleConflicts(&changes, watched: watched, in: context)
    let winners = try settleUniqueness(&changes, in: context)

    // IDs come first, so that rows can refer to each other (ID-35). §commit-to-stores.9
    takePermanentIDs(for: changes, in: context)
    noteWritten(&changes, in: context)
    write(changes, winners, from: context)
    note(changes, winners, requesting: &requested, in: context)
    for change in changes.all where change.isWritten { showRow(of: change.slot, in: context) }
    for id in winners { showWinner(id, in: context) }
    for change in changes.all where change.isKept {
      contexts[c].becomeClean(change.slot, by: setting)
    }
    for change in changes.all where change.kind == .deleted {
      unregister(change.slot, in: context)
    }
    contexts[c].endWatch()
    if bugs.contains(.tearsSaves) { tear(changes, besides: winners.count, in: context) }
  }

  /// Makes the IDs of a commit's insertions permanent. §commit-to-stores.9
  private mutating func takePermanentIDs(for changes: Changes, in context: ContextID) {
    var pairs: [(temporary: ObjectID, permanent: ObjectID)] = []
    for change in changes.all where change.kind == .inserted {
      let id = contexts[context.index].id(of: change.slot)
      if id.isTemporaryID { pairs.append((id, takePermanentID(for: id, in: context))) }
    }
    if !pairs.isEmpty { rename(pairs, in: contextsThatRename([context])) }
  }

  /// Marks the changes to write, and records the rows that they replace. §write-to-stores.2
  private func noteWritten(_ changes: inout Changes, in context: ContextID) {
    for index in changes.indices where changes[index].isKept {
      let slot = changes[index].slot
      guard changes[index].isResolved || contexts[context.index].isWritten(slot, by: setting) else {
        continue
      }
      changes[index].isWritten = true
      changes.setReplacedRow(storedRow(rowID(ofSlot: slot, in: context)), at: index)
    }
  }

  /// Writes and deletes rows, and updates the row cache. A resolved object is written whole if its
  /// policy overwrites, or if its row is re-created. §write-to-stores
  private mutating func write(
    _ changes: Changes, _ winners: [ObjectID], from context: ContextID
  ) {
    let c = context.index
    let overwrites = contexts[c].mergePolicy == .overwrite
    var touched: [ObjectID] = []
    var written = winners
    var deleted: [ObjectID] = []
    for change in changes.all {
      if change.isWritten {
        // An object that is inserted again may already have a row (ID-34).
        writeValues(of: change.slot, isNew: change.isNew, from: context)
        written.note(rowID(ofSlot: change.slot, in: context))
      } else if change.kind == .deleted {
        deleted.note(rowID(ofSlot: change.slot, in: context))
      }
    }
    for (index, change) in changes.all.enumerated() where change.isWritten {
      let isWhole = change.isResolved && (overwrites || change.isNew)  // §write-relationships.2
      writeRelationships(
        of: change.slot, against: changes.replacedRow(at: index), isWhole: isWhole,
        touched: &touched, from: context)
    }
    // §write-to-stores.7: the rows now have all their members.
    for change in changes.all where change.isWritten {
      writeOrder(of: change.slot, isNew: change.isNew, from: context)
    }
    let count = written.count + deleted.count
    if count > 0 { result.storeAccess.write(rows: count) }
    deleteRows(deleted, touched: &touched)
    updateCache(of: contexts[c].coordinator, written: written, touched: touched, deleted: deleted)
  }

  /// Records the sets of the save's notification and of its save request. §note-saved §request-save
  private mutating func note(
    _ changes: Changes, _ winners: [ObjectID], requesting requested: inout ChangeSets,
    in context: ContextID
  ) {
    let c = context.index
    contexts[c].noteCommitted(changes)
    requested.updated = winners
    for change in changes.all {
      let row = rowID(ofSlot: change.slot, in: context)
      switch change.kind {
      case .inserted: requested.inserted.note(row)
      case .updated: if change.isWritten { requested.updated.note(row) }
      case .deleted: requested.deleted.note(row)
      case nil: break
      }
    }
    requested.inserted.sort()
    requested.updated.sort()
    requested.deleted.sort()
    for winner in winners {
      let id = localized(winner, in: context)
      if !contexts[c].committed.updated.contains(id) { contexts[c].committed.updated.note(id) }
    }
    if !winners.isEmpty { contexts[c].committed.updated.sort() }
  }

  /// Applies a planted bug, by which a save of several rows does not write the last row.
  private mutating func tear(_ changes: Changes, besides others: Int, in context: ContextID) {
    let count = changes.all.count { $0.isWritten || $0.kind == .deleted } + others
    guard count > 1, let last = changes.all.lastIndex(where: \.isWritten) else { return }
    let id = rowID(ofSlot: changes[last].slot, in: context)
    if let store = id.store { stores[store.index][id] = changes.replacedRow(at: last) }
  }

  /// Finds the conflicts of a root's commit by row versions (MP-02), and settles them.
  /// §find-conflicts §root-conflict
  private mutating func settleConflicts(
    _ changes: inout Changes, watched: [Int], in context: ContextID
  ) throws(StepFailure) {
    var conflicts: [(slot: Int, theirs: Theirs)] = []
    var described: [Failure.Conflict] = []
    for slot in slotsToCheck(of: changes, watched: watched, in: context) {
      let id = rowID(ofSlot: slot, in: context)
      let version = contexts[context.index].version(of: slot)
      let stored = id.store.map { stores[$0.index].version(of: id) } ?? 0
      if stored == version, stored > 0 { continue }
      let object = contexts[context.index].objects[slot]
      guard let theirs = storedRow(id) else {
        // §root-conflict.3 (MP-17)
        if object.flags.contains(.deleted) { continue }
        conflicts.append((slot, .gone))
        described.append(conflict(of: object, with: nil, in: context))
        continue
      }
      guard !bugs.contains(.ignoresVersions) else { continue }
      conflicts.append((slot, .there(contents(of: theirs, in: context))))
      described.append(conflict(of: object, with: theirs, in: context))
    }
    if conflicts.isEmpty { return }
    if described.contains(where: { $0.objectSnapshot == nil }) { marks.insert(.cacheBehindStore) }
    if contexts[context.index].mergePolicy == .error {
      marks.insert(.mergeConflict)
      throw StepFailure(failure: .mergeConflicts(described))
    }
    settle(conflicts, &changes, watched: watched, in: context)
    // §settle.4
    for (slot, _) in conflicts {
      guard let index = changes.index(of: slot), changes[index].isResolved,
        changes[index].kind == .updated
      else { continue }
      let entity = contexts[context.index].id(of: slot).entity
      for action in model.entities[entity.index].hookActions
      where action.hook == .resolveConflicts && !bugs.contains(.policyEditsNothing) {
        marks.insert(.policyEdited)
        _ = run(action, for: slot, in: context)
      }
    }
  }

  /// Returns the written, deleted and watched objects, by ID. §find-conflicts.1.1
  private func slotsToCheck(
    of changes: Changes, watched: [Int], in context: ContextID
  ) -> [Int] {
    var slots = watched
    for change in changes.all
    where change.kind == .deleted
      || change.kind == .updated && contexts[context.index].isWritten(change.slot, by: setting)
    {
      slots.append(change.slot)
    }
    return contexts[context.index].sorted(slots)
  }

  /// Settles conflicts by the merge policy of a context. Objects in `watched` have no changes.
  /// §settle
  mutating func settle(
    _ conflicts: [(slot: Int, theirs: Theirs)], _ changes: inout Changes, watched: [Int] = [],
    in context: ContextID
  ) {
    let policy = contexts[context.index].mergePolicy
    var awakened: [ObjectID] = []
    for (slot, theirs) in conflicts {
      let id = contexts[context.index].id(of: slot)
      let effect =
        watched.contains(slot)
        ? takeTheirs(theirs, for: slot, in: context)
        : resolve(slot, against: theirs, by: policy, in: context)
      assert(
        effect.isSaved || effect.takesTheirs
          || contexts[context.index].registry.slot(of: id) == nil,
        "\(id) is neither saved nor given up")
      if effect.takesTheirs { awakened.append(id) }
      guard let index = changes.index(of: slot) else { continue }
      if effect.isSaved { changes[index].isResolved = true } else { changes[index].kind = nil }
    }
    for id in awakened { result.events.append(.awakeFromSnapshot(context, id, .mergePolicy)) }
  }

  /// Describes a conflict. Either the row cache or the context is behind the store (MP-04).
  /// §root-conflict.6
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

  /// Updates the row cache with all written rows, and with other touched rows that it contains.
  /// §update-row-cache
  private mutating func updateCache(
    of coordinator: CoordinatorID, written: [ObjectID], touched: [ObjectID], deleted: [ObjectID]
  ) {
    if bugs.contains(.leavesRowCacheStale) { return }
    for id in written {
      coordinators[coordinator.index][id] = storedRow(id)
      coordinators[coordinator.index].checkReference(of: id)
    }
    for id in touched where coordinators[coordinator.index].hasCached(id) {
      coordinators[coordinator.index][id] = storedRow(id)
    }
    assert(!deleted.contains { storedRow($0) != nil }, "a deleted row exists")
    for id in deleted { coordinators[coordinator.index][id] = nil }
  }

  /// Updates a saved object from its row, which a merge policy may have changed. Unfired
  /// relationships stay unfired. §write-to-stores.10
  mutating func showRow(of slot: Int, in context: ContextID) {
    let c = context.index
    let id = contexts[c].id(of: slot)
    guard let row = storedRow(row(of: id)) else { return }
    assert(!contexts[c].isFault(slot), "the fault \(id) is to show its row")
    var values = row.values
    for (property, shape) in shapes[id.entity.index].enumerated() {
      if shape.isTransient {
        values[shape.slot] = contexts[c].objects[slot].current.values[shape.slot]
      } else if shape.kind == .toOne, let destination = values[shape.slot].objectID {
        values[shape.slot] = .object(localized(destination, in: context))
      } else if shape.kind == .toMany, !contexts[c].objects[slot].unfired.contains(property) {
        let members = localized(row.collections[shape.slot], shape, in: context)
        if contexts[c].objects[slot].current.collections[shape.slot] != members {
          contexts[c].objects[slot].current.collections[shape.slot] = members
        }
      }
    }
    contexts[c].objects[slot].current.values = values
    contexts[c].objects[slot].version = row.version
  }
}
