import ObjectModel
import Vocabulary

/// Undo. Every event registers a group of states, which undo restores.
///
/// Restoring is itself an event. Its group reverses the restoration and is added to the other
/// stack.
extension ObjectGraph {
  /// Undoes the last event of a context. §undo
  mutating func undo(in context: ContextID) {
    guard contexts[context.index].undoManager != nil else { return result.events.append(.nothing) }
    processPendingChanges(context)
    guard let group = contexts[context.index].undoManager?.undoStack.popLast() else { return }
    restore(group, in: context)
    processPendingChanges(context, during: .undo)
  }

  /// Redoes the last undone event of a context. §redo
  mutating func redo(in context: ContextID) {
    guard contexts[context.index].undoManager != nil else { return result.events.append(.nothing) }
    processPendingChanges(context)
    guard !bugs.contains(.redoDoesNothing),
      let group = contexts[context.index].undoManager?.redoStack.popLast()
    else { return }
    marks.insert(.redone)
    restore(group, in: context)
    processPendingChanges(context, during: .redo)
  }

  /// Disables the registration of undo groups. §disable-undo
  mutating func disableUndoRegistration(in context: ContextID) {
    guard contexts[context.index].undoManager != nil else { return result.events.append(.nothing) }
    contexts[context.index].undoManager?.disableCount += 1
  }

  /// Enables the registration of undo groups again. §enable-undo
  mutating func enableUndoRegistration(in context: ContextID) {
    guard let manager = contexts[context.index].undoManager, manager.disableCount > 0 else {
      return result.events.append(.nothing)
    }
    assert(manager.disableCount > 0, "undo registration is enabled already")
    contexts[context.index].undoManager?.disableCount -= 1
  }

  // MARK: Registering

  /// Registers an undo group of the changes of the running event. §register-undo
  mutating func registerUndo(on occasion: Occasion, in context: ContextID) {
    let c = context.index
    guard let manager = contexts[c].undoManager else { return }
    guard manager.disableCount == 0 else { return marks.insert(.registrationIsDisabled) }
    let group = recordsOfEvent(in: context)
    guard !group.isEmpty else { return }
    switch occasion {
    case .event, .save, .namelessMerge:
      contexts[c].undoManager?.undoStack.append(group)
      if !manager.redoStack.isEmpty { marks.insert(.changeForgetsRedo) }
      if !bugs.contains(.changeKeepsRedo) { contexts[c].undoManager?.redoStack.removeAll() }
      // Objects that only the redo stack kept may now be released.
      contexts[c].mayCollect = true
    case .undo: contexts[c].undoManager?.redoStack.append(group)
    case .redo: contexts[c].undoManager?.undoStack.append(group)
    }
  }

  /// Makes the records of all objects that the running event changed. §register-undo.3
  private func recordsOfEvent(in context: ContextID) -> [UndoManager.Record] {
    let c = context.index
    var records: [UndoManager.Record] = []
    for slot in contexts[c].unsettledSlots {
      let object = contexts[c].objects[slot]
      if case .none = object.eventStart { continue }
      let before = contexts[c].eventStart(of: slot)
      if !agree(before, object.state, object.id.entity) {
        records.append(.init(id: object.id, before: before))
      }
    }
    assert(records.map(\.id).isStrictlyAscending, "an undo group is out of order")
    return records
  }

  private func agree(
    _ before: ManagedObject.State?, _ now: ManagedObject.State?, _ entity: EntityID
  ) -> Bool {
    guard let before, let now else { return before == nil && now == nil }
    return before.agrees(with: now, shapes[entity.index])
  }

  // MARK: Restoring

  /// Restores an undo group. §restore
  private mutating func restore(_ group: [UndoManager.Record], in context: ContextID) {
    // IDs that have become permanent have another place in the order. §restore.1
    assert(!group.isEmpty, "an undo group is empty")
    for record in group.sorted(by: { $0.id < $1.id }) {
      switch (record.before, lookup(record.id, in: context)) {
      case (nil, nil): break
      case (nil, let slot?): undoInsertion(of: slot, in: context)
      case (let before?, nil): bringBack(record.id, as: before, in: context)
      case (let before?, let slot?):
        if contexts[context.index].isPendingDeletion(slot) {
          undoDeletion(of: slot, to: before, in: context)
        } else {
          undoUpdate(of: slot, to: before, in: context)
        }
      }
    }
    contexts[context.index].hasReports = true
    contexts[context.index].mayCollect = true
    releaseCopyAbove(context)
  }

  /// Undoes an insertion, without calling the hook for deletions. §undo-insertion
  private mutating func undoInsertion(of slot: Int, in context: ContextID) {
    let c = context.index
    guard !contexts[c].isPendingDeletion(slot), fireQuietly(slot, in: context) else {
      return
    }
    let isSaved = !contexts[c].has(.inserted, slot)
    marks.insert(isSaved ? .undoneSavedInsertion : .undoneInsertion)
    contexts[c].markDeletedWithoutPropagation(slot)
    result.events.append(.awakeFromSnapshot(context, contexts[c].id(of: slot), .undoInsertion))
  }

  /// Restores an object that has left its context. Without a row, it becomes an insertion (UN-08).
  /// §bring-back
  private mutating func bringBack(
    _ id: ObjectID, as before: ManagedObject.State, in context: ContextID
  ) {
    assert(lookup(id, in: context) == nil, "\(id) is brought back and was there")
    let row = row(of: id)
    let loaded = row.isTemporaryID ? nil : load(row, for: context)
    marks.insert(.undoneDeparture)
    if loaded == nil, !id.isTemporaryID { marks.insert(.undoneSavedDeletion) }
    var object = ManagedObject(id: id, flags: [.reportInserted])
    if before.isInserted || loaded == nil { object.flags.insert(.inserted) }
    object.base = defaults(of: id.entity)
    if let loaded {
      object.base.values = loaded.values
      for (property, shape) in shapes[id.entity.index].enumerated() where shape.kind == .toMany {
        object.base.collections[shape.slot] =
          loadCollection(property, of: row, for: context) ?? []
      }
    }
    object.current = object.base
    object.version = loaded?.version ?? 0
    object.eventStart = .absent
    show(before, at: register(object, in: context), in: context)
    result.events.append(.awakeFromSnapshot(context, id, .undoDeletion))
  }

  /// Undoes the deletion of an instance that is still registered. §undo-deletion
  private mutating func undoDeletion(
    of slot: Int, to before: ManagedObject.State, in context: ContextID
  ) {
    let c = context.index
    marks.insert(.undoneDeletion)
    assert(contexts[c].isPendingDeletion(slot), "slot \(slot) was not deleted")
    assert(!contexts[c].isFault(slot), "slot \(slot) is deleted and was not fired")
    if case .none = contexts[c].objects[slot].eventStart {
      contexts[c].objects[slot].eventStart = .absent
    }
    if contexts[c].has(.discarded, slot) {
      contexts[c].mark(slot, as: .inserted)
    }
    contexts[c].unmark(slot, as: [.deleted, .discarded, .reportDeleted])
    contexts[c].mark(slot, as: .reportInserted)
    contexts[c].unpropagated.removeAll { $0 == slot }
    show(before, at: slot, in: context)
    result.events.append(.awakeFromSnapshot(context, contexts[c].id(of: slot), .undoDeletion))
  }

  /// Undoes an update of an instance. §undo-update
  private mutating func undoUpdate(
    of slot: Int, to before: ManagedObject.State, in context: ContextID
  ) {
    let c = context.index
    guard fireQuietly(slot, in: context) else { return marks.insert(.undoMissesRow) }
    assert(!contexts[c].isPendingDeletion(slot), "slot \(slot) is deleted")
    contexts[c].startEvent(slot)
    show(before, at: slot, in: context)
    if !contexts[c].has(.changes, slot) { marks.insert(.undoneToClean) }
    contexts[c].mark(slot, as: .reportUpdated)
    result.events.append(.awakeFromSnapshot(context, contexts[c].id(of: slot), .undoUpdate))
  }

  /// Restores a former state of an instance. Values that differ from the base count as changed.
  /// Relationships that are unfired in the state stay unchanged. §show-state
  private mutating func show(
    _ before: ManagedObject.State, at slot: Int, in context: ContextID
  ) {
    let c = context.index
    let shapes = shapes[contexts[c].id(of: slot).entity.index]
    var snapshot = before.snapshot
    assert(!contexts[c].isFault(slot), "a fault is to show a former state")
    for (property, shape) in shapes.enumerated() where shape.kind == .toMany {
      if before.unfired.contains(property) {
        snapshot.collections[shape.slot] =
          contexts[c].objects[slot].current.collections[shape.slot]
        marks.insert(.undoSparesCollection)
      } else {
        // §show-state.1.2: without a loaded base, no member would count as changed.
        use(property, of: slot, in: context)
      }
    }
    if bugs.contains(.undoForgetsRelationships) {
      snapshot.collections = contexts[c].objects[slot].current.collections
      for shape in shapes where shape.kind == .toOne {
        snapshot.values[shape.slot] = contexts[c].objects[slot].current.values[shape.slot]
      }
    }
    contexts[c].objects[slot].current = snapshot
    let object = contexts[c].objects[slot]
    var changed = PropertySet()
    for (property, shape) in shapes.enumerated() where object.differs(shape, by: setting) {
      changed.insert(property)
    }
    assert(!object.isPendingDeletion, "\(object.id) is deleted and shows a former state")
    contexts[c].objects[slot].changed = changed
    if !object.flags.contains(.inserted), !changed.isEmpty {
      contexts[c].mark(slot, as: .updated)
    } else {
      contexts[c].unmark(slot, as: .updated)
    }
  }
}
