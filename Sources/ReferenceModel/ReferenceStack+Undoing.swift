import ObjectModel
import Vocabulary

/// Undo managers.
extension ReferenceStack {
  mutating func undo(_ c: ContextID) { revert(c, .undoing) }
  mutating func redo(_ c: ContextID) { revert(c, .redoing) }

  private mutating func revert(_ c: ContextID, _ activity: UndoManager.Activity) {
    guard contexts[c.index].undoManager != nil else {
      events.append(.nothing)
      return
    }
    // Pending changes can be undone, too.
    processPendingChanges(in: c)
    guard let group = contexts[c.index].undoManager?.take(for: activity) else { return }
    for record in group {
      // A context may know the object by its other ID now.
      let x = lookup(record.id, in: c) ?? record.id
      switch record.before {
      case .absent: takeBack(x, in: c)
      case .present(let state): restore(state, of: x, in: c)
      }
    }
    // To go back is an event, which can be taken back in its turn (UN-02).
    contexts[c.index].undoManager?.activity = activity
    processPendingChanges(in: c)
    contexts[c.index].undoManager?.activity = .editing
  }

  /// Undoes an insertion; one that was saved becomes a deletion (CT-20).
  private mutating func takeBack(_ x: ObjectID, in c: ContextID) {
    guard let instance = contexts[c.index].instances[x], !instance.isRemoved, fire(x, in: c)
    else { return }
    // The objects to which it was related have other records.
    markDeleted(x, propagates: false, in: c)
    events.append(.awakeFromSnapshot(c, x, .undoInsertion))
  }

  /// Undoes a deletion or a change.
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

  /// A relationship that was unused then is left as it is. One that is unused since is loaded
  /// first, for there is nothing else that the old members could differ from.
  private mutating func restoreCollections(
    _ state: InstanceState, of x: ObjectID, in c: ContextID
  ) {
    for (property, shape) in shapes[x.entity.index].relationships
    where shape.isToMany && !state.unfired.contains(shape.slot) {
      use(property, of: x, in: c)
      self[c, x].collections[shape.slot] = state.collections[shape.slot]
    }
  }

  private mutating func undelete(_ x: ObjectID, in c: ContextID) {
    assert(self[c, x].isRemoved, "\(x) was not deleted")
    if self[c, x].isDiscarded { self[c, x].isInserted = true }
    self[c, x].isDiscarded = false
    self[c, x].isDeleted = false
    self[c, x].event.remove(.deleted)
    self[c, x].event.insert(.inserted)
    contexts[c.index].unpropagatedDeletions.removeAll { $0 == x }
  }

  /// UN-08: a new instance under the old ID, whose row may be gone.
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

  mutating func disableUndoRegistration(_ c: ContextID) {
    guard let count = contexts[c.index].undoManager?.disableCount else {
      events.append(.nothing)
      return
    }
    contexts[c.index].undoManager?.disableCount = count + 1
  }

  mutating func enableUndoRegistration(_ c: ContextID) {
    guard let count = contexts[c.index].undoManager?.disableCount, count > 0 else {
      events.append(.nothing)
      return
    }
    contexts[c.index].undoManager?.disableCount = count - 1
  }
}
