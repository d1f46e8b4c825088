import Vocabulary

/// The slots of a context, by the IDs of their instances. Methods of the world, because one of a
/// context would copy that.
extension World {
  /// All that are registered.
  func registeredSlots(of context: ContextID) -> [Int] {
    sorted(
      contexts[context.index].objects.indices.filter {
        !contexts[context.index].objects.isFree($0)
      }, in: context)
  }

  /// Those of the running event and of the next save.
  func unsettledSlots(of context: ContextID) -> [Int] {
    sorted(contexts[context.index].objects.unsettled.slots, in: context)
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
    sorted(contexts[context.index].objects.unheld.slots, in: context)
  }

  func sorted(_ slots: [Int], in context: ContextID) -> [Int] {
    if slots.count < 2 { return slots }
    return slots.sorted {
      contexts[context.index].objects[$0].id < contexts[context.index].objects[$1].id
    }
  }
}
