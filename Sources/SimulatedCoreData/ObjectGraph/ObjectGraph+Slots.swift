import Vocabulary

/// The slots of a context, by the IDs of their instances. Methods of the world, because one of a
/// context would copy that.
extension ObjectGraph {
  /// All that are registered.
  func registeredSlots(of context: ContextID) -> [Int] {
    let c = context.index
    var slots: [Int] = []
    slots.reserveCapacity(contexts[c].registry.count)
    for slot in contexts[c].objects.indices where !contexts[c].objects.isFree(slot) {
      slots.append(slot)
    }
    return sorted(slots, in: context)
  }

  /// Those of the running event and of the next save.
  func unsettledSlots(of context: ContextID) -> [Int] {
    sorted(contexts[context.index].objects.unsettled, in: context)
  }

  /// Those that are inserted, updated or deleted.
  func changedSlots(of context: ContextID) -> [Int] {
    if contexts[context.index].objects.changedCount == 0 { return [] }
    return unsettledSlots(of: context).filter {
      !contexts[context.index].objects[$0].flags.isDisjoint(with: [.inserted, .updated, .deleted])
    }
  }

  /// Those that neither a name nor a change holds.
  func unheldSlots(of context: ContextID) -> [Int] {
    sorted(contexts[context.index].objects.unheld, in: context)
  }

  func sorted(_ slots: [Int], in context: ContextID) -> [Int] {
    let c = context.index
    // Mostly they are in order: new objects have greater IDs.
    var position = 1
    while position < slots.count,
      contexts[c].objects[slots[position - 1]].id < contexts[c].objects[slots[position]].id
    {
      position += 1
    }
    if position >= slots.count { return slots }
    if slots.count > 32 {
      return slots.sorted { contexts[c].objects[$0].id < contexts[c].objects[$1].id }
    }
    // One after the other goes where it belongs: of so few this is quicker than to sort them all.
    var sorted = slots
    while position < sorted.count {
      let (slot, id) = (sorted[position], contexts[c].objects[sorted[position]].id)
      var place = position
      while place > 0, id < contexts[c].objects[sorted[place - 1]].id {
        sorted[place] = sorted[place - 1]
        place -= 1
      }
      sorted[place] = slot
      position += 1
    }
    return sorted
  }
}
