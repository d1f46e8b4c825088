import ObjectModel
import Vocabulary

/// Undo and redo.
extension ReferenceStack {
  /// Undoes the last group of `c`. §undo
  mutating func undo(_ c: ContextID) { revert(c, .undoing) }
  /// Redoes the group that was undone last. §redo
  mutating func redo(_ c: ContextID) { revert(c, .redoing) }

  /// Restores the last group of a stack, which registers the opposite group. §restore
  private mutating func revert(_ c: ContextID, _ activity: UndoManager.Activity) {
    guard contexts[c.index].undoManager != nil else {
      events.append(.nothing)
      return
    }
    // §undo.2: pending changes can be undone, too.
    processPendingChanges(in: c)
    guard let group = contexts[c.index].undoManager?.take(for: activity) else { return }
    for record in group {
      // §restore.1.1: the context may know the object by its other ID now.
      let x = lookup(record.id, in: c) ?? record.id
      switch record.before {
      case .absent: takeBack(x, in: c)
      case .present(let state): restore(state, of: x, in: c)
      }
    }
    // §undo.5: the event of an undo can be redone, and the reverse (UN-02).
    contexts[c.index].undoManager?.activity = activity
    processPendingChanges(in: c)
    contexts[c.index].undoManager?.activity = .editing
  }

  /// Undoes an insertion. An insertion that was saved becomes a deletion (CT-20). §undo-insertion
  private mutating func takeBack(_ x: ObjectID, in c: ContextID) {
    guard let instance = contexts[c.index].instances[x], !instance.isRemoved, fire(x, in: c)
    else { return }
    // The related objects have their own records.
    markDeleted(x, propagates: false, in: c)
    events.append(.awakeFromSnapshot(c, x, .undoInsertion))
  }

  /// Restores an object that has left, or undoes a deletion or an update of an object. §undo-update
  ///
  /// The case of a doomed instance is §undo-deletion.
  private mutating func restore(_ state: InstanceState, of x: ObjectID, in c: ContextID) {
    let cause: SnapshotEvent
    if let instance = contexts[c.index].instances[x] {
      guard fire(x, in: c) else { return }
      self[c, x].beginEvent()
      if instance.isRemoved {
        undelete(x, in: c)
        cause = .undoDeletion
      } else {
        self[c, x].event.insert(.updated)
        cause = .undoUpdate
      }
    } else {
      bringBack(x, wasInserted: state.isInserted, in: c)
      cause = .undoDeletion
    }
    assert(fits(state.values, state.collections, x.entity), "\(x) was unlike its entity")
    self[c, x].values = state.values
    restoreCollections(state, of: x, in: c)
    recomputeChanges(of: x, in: c)
    events.append(.awakeFromSnapshot(c, x, cause))
  }

  /// Restores the earlier collections. A relationship that was unfired then stays unchanged. A
  /// relationship that is unfired now is loaded first, because its members need a base to differ
  /// from. §show-state
  private mutating func restoreCollections(
    _ state: InstanceState, of x: ObjectID, in c: ContextID
  ) {
    for (property, shape) in shapes[x.entity.index].relationships
    where shape.isToMany && !state.unfired.contains(shape.slot) {
      use(property, of: x, in: c)
      self[c, x].collections[shape.slot] = state.collections[shape.slot]
    }
  }

  /// Reverses the deletion of a doomed instance. §undo-deletion.2 to §undo-deletion.4
  private mutating func undelete(_ x: ObjectID, in c: ContextID) {
    assert(self[c, x].isRemoved, "\(x) was not deleted")
    if self[c, x].isDiscarded { self[c, x].isInserted = true }
    self[c, x].isDiscarded = false
    self[c, x].isDeleted = false
    self[c, x].event.remove(.deleted)
    self[c, x].event.insert(.inserted)
    contexts[c.index].unpropagatedDeletions.removeAll { $0 == x }
  }

  /// Registers a new instance under the old ID, whose row may be missing (UN-08). §bring-back
  private mutating func bringBack(_ x: ObjectID, wasInserted: Bool, in c: ContextID) {
    assert(lookup(x, in: c) == nil, "\(x) is brought back and was there")
    let row = row(x)
    let loaded = row.isTemporaryID ? nil : load(row, in: c)
    var instance = Instance(id: x, showing: shapes[x.entity.index].defaults)
    if var loaded {
      for (property, shape) in shapes[x.entity.index].relationships where shape.isToMany {
        loaded.collections[shape.slot] = loadCollection(property, of: row, in: c) ?? []
      }
      instance.realise(loaded)
      instance.isInserted = wasInserted
    }
    register(instance, in: c)
  }

  /// Compares an instance with its base. §show-state.3, §show-state.4
  private mutating func recomputeChanges(of x: ObjectID, in c: ContextID) {
    var changed = PropertySet()
    for (property, shape) in shapes[x.entity.index].properties.enumerated()
    where self[c, x].differsFromBase(shape) {
      changed.insert(property)
    }
    self[c, x].changed = changed
    self[c, x].isUpdated = !self[c, x].isInserted && !changed.isEmpty
    assert(!self[c, x].isRemoved, "\(x) is deleted and shows a former state")
  }

  /// Increments the number of times that undo registration is disabled. §disable-undo
  mutating func disableUndoRegistration(_ c: ContextID) {
    guard let count = contexts[c.index].undoManager?.disableCount else {
      events.append(.nothing)
      return
    }
    contexts[c.index].undoManager?.disableCount = count + 1
  }

  /// Reverses one call that disabled undo registration. §enable-undo
  mutating func enableUndoRegistration(_ c: ContextID) {
    guard let count = contexts[c.index].undoManager?.disableCount, count > 0 else {
      events.append(.nothing)
      return
    }
    contexts[c.index].undoManager?.disableCount = count - 1
  }
}
