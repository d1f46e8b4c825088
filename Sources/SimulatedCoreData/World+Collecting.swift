import Vocabulary

/// Weak registration: what nobody holds and has no changes leaves its context (FL-15).
extension World {
  /// Runs after every action, as an autorelease pool is drained.
  ///
  /// Children first: an ancestor's copy lives as long as a descendant's (FL-24).
  mutating func collect() {
    for c in contexts.indices.reversed() where contexts[c].mayCollect {
      contexts[c].mayCollect = false
      // Backwards, so that what leaves shifts nobody who is still to be looked at.
      var position = contexts[c].order.count
      while position > 0 {
        position -= 1
        let slot = contexts[c].order[position]
        if !isNeeded(slot, in: c) { unregister(slot, in: ContextID(c)) }
      }
    }
    for index in coordinators.indices where !coordinators[index].unreferenced.isEmpty {
      coordinators[index].dropUnreferenced()
    }
  }

  private func isNeeded(_ slot: Int, in context: Int) -> Bool {
    if contexts[context].objects[slot].holdCount > 0 { return true }
    if !contexts[context].objects[slot].flags.isDisjoint(with: .changes) { return true }
    let id = contexts[context].objects[slot].id
    for child in contexts[context].children where slotOfRow(id, in: child) != nil { return true }
    return false
  }
}
