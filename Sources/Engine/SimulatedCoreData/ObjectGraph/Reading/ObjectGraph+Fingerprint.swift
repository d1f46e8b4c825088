import ObjectModel
import Vocabulary

/// The state on which the future of a graph depends.
extension ObjectGraph {
  func hashState(into hasher: inout Hasher, tellsHistory: Bool) {
    for index in contexts.indices { hashContext(index, into: &hasher) }
    hasher.combine(stores)
    hasher.combine(metadata)
    hasher.combine(refusals)
    // The registered objects of each row follow from the contexts.
    for index in coordinators.indices {
      hasher.combine(coordinators[index].stores)
      hasher.combine(coordinators[index].cache)
      hasher.combine(coordinators[index].pendingMetadata)
      hasher.combine(coordinators[index].unreferenced)
    }
    hasher.combine(controllers)
    hasher.combine(idSets)
    hasher.combine(identities)
    hasher.combine(temporaryIDs)
    hasher.combine(nextHookNumber)
    if tellsHistory { hasher.combine(didSaves) }
  }

  /// Hashes a context, with its instances by ID, because slots are arbitrary. Hashes each part in
  /// place, because copying a context or an instance takes longer.
  private func hashContext(_ c: Int, into hasher: inout Hasher) {
    let slots = contexts[contexts[c].id.index].registeredSlots
    hasher.combine(slots.count)
    for slot in slots { hashInstance(slot, of: c, into: &hasher) }
    hasher.combine(contexts[c].bindings.count)
    for binding in contexts[c].bindings {
      switch binding {
      case .unbound: hasher.combine(0)
      case .slot(let slot):
        hasher.combine(1)
        hasher.combine(contexts[c].id(of: slot))
      case .gone(let id):
        hasher.combine(2)
        hasher.combine(id)
      }
    }
    for slot in contexts[c].unpropagated { hasher.combine(contexts[c].id(of: slot)) }
    hasher.combine(contexts[c].unpropagated.count)
    hasher.combine(contexts[c].hasReports)
    hasher.combine(contexts[c].undoManager)
    hasher.combine(contexts[c].mayCollect)
    hasher.combine(contexts[c].written)
    hasher.combine(contexts[c].deliveries)
    hasher.combine(contexts[c].autoreleased)
    hasher.combine(contexts[c].historyToken)
    hasher.combine(contexts[c].mergePolicy)
  }

  private func hashInstance(_ slot: Int, of c: Int, into hasher: inout Hasher) {
    hasher.combine(contexts[c].id(of: slot))
    hasher.combine(contexts[c].flags(of: slot))
    hasher.combine(contexts[c].objects[slot].current)
    hasher.combine(contexts[c].objects[slot].base)
    hasher.combine(contexts[c].version(of: slot))
    hasher.combine(contexts[c].objects[slot].changed)
    hasher.combine(contexts[c].objects[slot].unfired)
    hasher.combine(contexts[c].objects[slot].holdCount)
    switch contexts[c].objects[slot].eventStart {
    case .none: hasher.combine(0)
    case .absent: hasher.combine(1)
    case .at(let index): hasher.combine(contexts[c].eventStarts[index])
    }
  }
}
