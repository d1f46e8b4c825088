import ObjectModel
import Vocabulary

/// Weak registration. An instance that is not held and has no changes leaves its context (FL-15).
extension ObjectGraph {
  /// Releases the instances that are not needed. §collect
  ///
  /// Runs after every action, when an autorelease pool would be drained. Children come first,
  /// because an ancestor's copy lives as long as a descendant's (FL-24).
  mutating func collect() {
    for c in contexts.indices.reversed() where contexts[c].mayCollect {
      contexts[c].mayCollect = false
      result.collectedContexts.append(ContextID(c))
      if contexts[c].retainsRegisteredObjects { continue }
      if contexts[c].objects.unheld.isEmpty { continue }
      var undoable: Set<ObjectID>?
      let below = isQuickerToListRows(belowContext: c) ? rows(belowContext: c) : nil
      for slot in contexts[c].unheldSlots.reversed() {
        if isNeeded(slot, in: c, below) { continue }
        // Query the undo manager only when an instance may leave, which is rare. §needed.6
        if contexts[c].undoManager != nil, isUndoable(contexts[c].id(of: slot), c, &undoable) {
          marks.insert(.undoKeepsInstance)
          continue
        }
        assert(
          contexts[c].objects[slot].holdCount == 0 && !contexts[c].has(.changes, slot),
          "slot \(slot) leaves, which a name or a change holds")
        unregister(slot, in: ContextID(c))
      }
    }
    for index in coordinators.indices where !coordinators[index].unreferenced.isEmpty {
      coordinators[index].dropUnreferenced()
    }
  }

  /// Decides whether the undo manager keeps an instance. For many instances, makes a set of all
  /// kept IDs once. For few instances, a search is faster. §needed.6
  private func isUndoable(_ id: ObjectID, _ context: Int, _ undoable: inout Set<ObjectID>?) -> Bool
  {
    if let undoable { return undoable.contains(id) }
    guard let manager = contexts[context].undoManager else { return false }
    if contexts[context].objects.unheld.count <= 8 { return manager.mentions(id) }
    let ids = manager.mentionedIDs
    undoable = ids
    return ids.contains(id)
  }

  /// A Boolean value that indicates whether listing all rows of the children is faster than looking
  /// up each unheld instance in each child. Listing a row costs as much as eight lookups.
  private func isQuickerToListRows(belowContext c: Int) -> Bool {
    let questionCount = contexts[c].objects.unheld.count * contexts[c].children.count
    if questionCount <= 16 { return false }
    var count = 0
    for child in contexts[c].children { count += contexts[child.index].registry.count }
    return questionCount > 8 * count
  }

  /// Returns the rows whose instances in the children take their values from this context.
  private func rows(belowContext context: Int) -> Set<ObjectID> {
    var rows: Set<ObjectID> = []
    for child in contexts[context].children {
      for slot in contexts[child.index].objects.indices
      where !contexts[child.index].objects.isFree(slot) && isFromAbove(slot, in: child) {
        rows.insert(row(of: contexts[child.index].id(of: slot)))
      }
    }
    return rows
  }

  /// Decides whether the level above supplies the values of an instance, as for all but insertions
  /// and inaccessible instances. §from-above
  private func isFromAbove(_ slot: Int, in context: ContextID) -> Bool {
    !contexts[context.index].has([.inserted, .inaccessible], slot)
  }

  /// Decides whether a child has an instance of this row that takes its values from above.
  /// §needed.9
  private func hasFromAbove(_ id: ObjectID, _ context: ContextID) -> Bool {
    if let slot = contexts[context.index].registry.slot(of: id), isFromAbove(slot, in: context) {
      return true
    }
    // The child may know the row by its other ID.
    let row = row(of: id)
    guard let other = row == id ? temporaryID(of: row) : row,
      let slot = contexts[context.index].registry.slot(of: other)
    else { return false }
    return isFromAbove(slot, in: context)
  }

  /// Allows the parent to release a copy, after an instance no longer takes its values from above.
  mutating func releaseCopyAbove(_ context: ContextID) {
    if let parent = contexts[context.index].parent { contexts[parent.index].mayCollect = true }
  }

  /// Decides whether an instance is needed although no name, change or undo group holds it. §needed
  private func isNeeded(_ slot: Int, in context: Int, _ below: Set<ObjectID>?) -> Bool {
    let id = contexts[context].id(of: slot)
    if contexts[context].isHeldForEvent(id) { return true }
    if isListed(id, in: ContextID(context)) { return true }
    if let below {
      if below.contains(row(of: id)) { return true }
    } else {
      for child in contexts[context].children where hasFromAbove(id, child) { return true }
    }
    return isInRetainCycle(slot, in: context)
  }

  /// Decides whether an instance and a realised destination hold each other. The cycle lasts until
  /// one of them is refreshed (RD-A11). §retain-cycle
  private func isInRetainCycle(_ slot: Int, in context: Int) -> Bool {
    let entity = contexts[context].id(of: slot).entity.index
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

  /// Returns the objects that an instance holds in a relationship. An unfired relationship holds
  /// none.
  private func members(of shape: PropertyShape, _ object: ManagedObject) -> [ObjectID] {
    shape.kind == .toMany
      ? object.current.collections[shape.slot]
      : object.current.values[shape.slot].objectID.map { [$0] } ?? []
  }
}
