import Vocabulary

/// Weak registration: what nobody holds and has no changes leaves its context (FL-15).
extension World {
  /// Runs after every action, as an autorelease pool is drained.
  ///
  /// Children first: an ancestor's copy lives as long as a descendant's (FL-24).
  mutating func collect() {
    for c in contexts.indices.reversed() where contexts[c].mayCollect {
      contexts[c].mayCollect = false
      for slot in contexts[c].order {
        let object = contexts[c].objects[slot]
        guard object.holdCount == 0, object.flags.isDisjoint(with: .changes),
          !contexts[c].children.contains(where: { slotOfRow(object.id, in: $0) != nil })
        else { continue }
        unregister(slot, in: ContextID(c))
      }
    }
    for index in coordinators.indices where !coordinators[index].unreferenced.isEmpty {
      coordinators[index].dropUnreferenced()
    }
  }
}
