import ObjectModel

/// Counterpart of a context's `NSUndoManager`: the states that undo restores, event by event
/// (UN-06).
struct UndoManager: Hashable {
  struct Record: Hashable {
    var id: ObjectID
    /// The state before the event, or `nil` if the object was absent.
    var before: ManagedObject.State?
  }

  var undoStack: [[Record]] = []
  var redoStack: [[Record]] = []
  /// The number of `disableUndoRegistration` calls not yet reversed (UN-05).
  var disableCount = 0

  var isEmpty: Bool { undoStack.isEmpty && redoStack.isEmpty }

  /// Decides whether a record of a group has the ID. §needed.6
  func mentions(_ id: ObjectID) -> Bool {
    for group in undoStack { for record in group where record.id == id { return true } }
    for group in redoStack { for record in group where record.id == id { return true } }
    return false
  }

  /// The IDs of the records of all groups. §needed.6
  var mentionedIDs: Set<ObjectID> {
    var ids: Set<ObjectID> = []
    for record in (undoStack + redoStack).joined() { ids.insert(record.id) }
    return ids
  }

  mutating func removeAllActions() {
    undoStack.removeAll()
    redoStack.removeAll()
  }

  /// Replaces an ID that became permanent. Returns `false` if neither stack contains it. Records
  /// keep the old ID unless `isFree`, which means that no other instance has the new ID.
  /// §become-permanent.1.3.3
  mutating func replace(
    _ old: ObjectID, with new: ObjectID, isFree: Bool, _ shapes: [[PropertyShape]]
  ) -> Bool {
    assert(old.isTemporaryID && !new.isTemporaryID, "\(old) cannot become \(new)")
    // Call both: `||` between the calls would skip the redo stack if the undo stack contains the
    // ID.
    let isUndoReplaced = UndoManager.replace(old, with: new, isFree, in: &undoStack, shapes)
    let isRedoReplaced = UndoManager.replace(old, with: new, isFree, in: &redoStack, shapes)
    return isUndoReplaced || isRedoReplaced
  }

  private static func replace(
    _ old: ObjectID, with new: ObjectID, _ isFree: Bool, in groups: inout [[Record]],
    _ shapes: [[PropertyShape]]
  ) -> Bool {
    var isReplaced = false
    for group in groups.indices {
      for record in groups[group].indices {
        if isFree, groups[group][record].id == old {
          groups[group][record].id = new
          isReplaced = true
        }
        let entity = groups[group][record].id.entity.index
        if groups[group][record].before?.snapshot.replace(old, with: new, of: shapes[entity])
          == true
        {
          isReplaced = true
        }
      }
    }
    return isReplaced
  }
}
