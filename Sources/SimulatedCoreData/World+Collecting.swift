import ObjectModel
import Vocabulary

/// Weak registration: an instance that is not held and has no changes leaves its context (FL-15).
extension World {
  /// Runs after every action, as an autorelease pool is drained.
  ///
  /// Children first: an ancestor's copy lives as long as a descendant's (FL-24).
  mutating func collect() {
    for c in contexts.indices.reversed() where contexts[c].mayCollect {
      contexts[c].mayCollect = false
      collectedContexts.append(ContextID(c))
      if contexts[c].retainsRegisteredObjects { continue }
      if contexts[c].objects.unheld.isEmpty { continue }
      var undoable: Set<ObjectID>?
      let below = isQuickerToListRows(belowContext: c) ? rows(belowContext: c) : nil
      for slot in unheldSlots(of: ContextID(c)).reversed() {
        if isNeeded(slot, in: c, below) { continue }
        // Looked up only when an instance may leave, which is rare.
        if contexts[c].undoManager != nil, isUndoable(contexts[c].objects[slot].id, c, &undoable) {
          marks.insert(.undoKeepsInstance)
          continue
        }
        assert(
          contexts[c].objects[slot].holdCount == 0 && !has(.changes, slot, in: ContextID(c)),
          "slot \(slot) leaves, which a name or a change holds")
        unregister(slot, in: ContextID(c))
      }
    }
    for index in coordinators.indices where !coordinators[index].unreferenced.isEmpty {
      coordinators[index].dropUnreferenced()
    }
  }

  /// Whether the undo manager keeps an instance. Of many it makes a set of those that it keeps; to
  /// ask it of a few takes less.
  private func isUndoable(_ id: ObjectID, _ context: Int, _ undoable: inout Set<ObjectID>?) -> Bool
  {
    if let undoable { return undoable.contains(id) }
    guard let manager = contexts[context].undoManager else { return false }
    if contexts[context].objects.unheld.count <= 8 { return manager.mentions(id) }
    let ids = manager.mentionedIDs
    undoable = ids
    return ids.contains(id)
  }

  /// True if all rows of the children are listed sooner than each child is asked for each instance
  /// that may leave. To list a row takes as long as eight questions.
  private func isQuickerToListRows(belowContext c: Int) -> Bool {
    let questionCount = contexts[c].objects.unheld.count * contexts[c].children.count
    if questionCount <= 16 { return false }
    var count = 0
    for child in contexts[c].children { count += contexts[child.index].registry.count }
    return questionCount > 8 * count
  }

  /// The rows that the children of a context have from it.
  private func rows(belowContext context: Int) -> Set<ObjectID> {
    var rows: Set<ObjectID> = []
    for child in contexts[context].children {
      for slot in contexts[child.index].objects.indices
      where !contexts[child.index].objects.isFree(slot) && isFromAbove(slot, in: child) {
        rows.insert(row(of: contexts[child.index].objects[slot].id))
      }
    }
    return rows
  }

  /// Whether an instance has what it shows, or will have, from the level above: an insertion has
  /// it not, nor what found nothing there.
  private func isFromAbove(_ slot: Int, in context: ContextID) -> Bool {
    contexts[context.index].objects[slot].flags.isDisjoint(with: [.inserted, .inaccessible])
  }

  private func hasFromAbove(_ id: ObjectID, _ context: ContextID) -> Bool {
    if let slot = contexts[context.index].registry.slot(of: id), isFromAbove(slot, in: context) {
      return true
    }
    // Here it may go by the other ID of its row.
    let row = row(of: id)
    guard let other = row == id ? temporaryID(of: row) : row,
      let slot = contexts[context.index].registry.slot(of: other)
    else { return false }
    return isFromAbove(slot, in: context)
  }

  /// An instance has become one that is not from above: a copy that only it held may go.
  mutating func releaseCopyAbove(_ context: ContextID) {
    if let parent = contexts[context.index].parent { contexts[parent.index].mayCollect = true }
  }

  private func isNeeded(_ slot: Int, in context: Int, _ below: Set<ObjectID>?) -> Bool {
    let id = contexts[context].objects[slot].id
    if contexts[context].isHeldForEvent(id) { return true }
    if isListed(id, in: ContextID(context)) { return true }
    if let below {
      if below.contains(row(of: id)) { return true }
    } else {
      for child in contexts[context].children where hasFromAbove(id, child) { return true }
    }
    return isInRetainCycle(slot, in: context)
  }

  /// Two realised objects that lead to each other hold each other, until one is refreshed (RD-A11).
  private func isInRetainCycle(_ slot: Int, in context: Int) -> Bool {
    let entity = contexts[context].objects[slot].id.entity.index
    if !setting.hasInverses[entity] { return false }
    let object = contexts[context].objects[slot]
    if object.isFault || bugs.contains(.relationshipsHoldNothing) { return false }
    for shape in shapes[object.id.entity.index] where shape.hasInverse {
      for destination in members(of: shape, object)
      where isRealised(destination, leadingTo: object.id, by: shape.inverse, in: context) {
        return true
      }
    }
    return false
  }

  private func isRealised(
    _ id: ObjectID, leadingTo target: ObjectID, by property: Int, in context: Int
  ) -> Bool {
    guard let slot = contexts[context].registry.slot(of: id) else { return false }
    let object = contexts[context].objects[slot]
    guard !object.isFault else { return false }
    return members(of: shapes[id.entity.index][property], object).contains(target)
  }

  /// What an instance holds in a relationship; nothing while that is unfired.
  private func members(of shape: PropertyShape, _ object: ManagedObject) -> [ObjectID] {
    shape.kind == .toMany
      ? object.current.collections[shape.slot]
      : object.current.values[shape.slot].objectID.map { [$0] } ?? []
  }
}
