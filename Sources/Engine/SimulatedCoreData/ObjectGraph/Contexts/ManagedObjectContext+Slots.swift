import ObjectModel
import Vocabulary

/// The slots of a context, sorted by the IDs of their instances.
extension ManagedObjectContext {
  var registeredSlots: [Int] {
    var slots: [Int] = []
    slots.reserveCapacity(registry.count)
    for slot in objects.indices where !objects.isFree(slot) {
      slots.append(slot)
    }
    return sorted(slots)
  }

  /// The slots of instances that are part of the running event or of the next save.
  var unsettledSlots: [Int] {
    sorted(objects.unsettled)
  }

  /// The slots of inserted, updated and deleted instances.
  var changedSlots: [Int] {
    if objects.changedCount == 0 { return [] }
    return unsettledSlots.filter {
      !objects[$0].flags.isDisjoint(with: [.inserted, .updated, .deleted])
    }
  }

  /// The slots of instances that neither a name nor a change holds.
  var unheldSlots: [Int] {
    sorted(objects.unheld)
  }

  func sorted(_ slots: [Int]) -> [Int] {
    // Usually the slots are in order, because new objects have greater IDs.
    var position = 1
    while position < slots.count,
      objects[slots[position - 1]].id < objects[slots[position]].id
    {
      position += 1
    }
    if position >= slots.count { return slots }
    if slots.count > 32 {
      return slots.sorted { objects[$0].id < objects[$1].id }
    }
    // An insertion sort, which is faster than `sorted` for few slots.
    var sorted = slots
    while position < sorted.count {
      let (slot, id) = (sorted[position], objects[sorted[position]].id)
      var place = position
      while place > 0, id < objects[sorted[place - 1]].id {
        sorted[place] = sorted[place - 1]
        place -= 1
      }
      sorted[place] = slot
      position += 1
    }
    return sorted
  }
}
