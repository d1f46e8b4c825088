import ObjectModel
import SimulatedDispatch

/// What the future of a world depends on, and nothing of how it came about: two programs that lead
/// to equal fingerprints can be continued alike. Finer than it need be (equal futures may have
/// unequal fingerprints), never coarser.
extension World {
  /// Feeds the state to `hasher`. The values are not stable between processes: for membership only.
  ///
  /// - Parameter tellsHistory: Whether a step may still ask for an old DidSave or batch result.
  package func hashState(into hasher: inout Hasher, tellsHistory: Bool) {
    for index in contexts.indices {
      contexts[index].hashState(of: registeredSlots(of: contexts[index].id), into: &hasher)
    }
    hasher.combine(stores)
    hasher.combine(metadata)
    hasher.combine(refusals)
    for index in coordinators.indices { coordinators[index].hashState(into: &hasher) }
    hasher.combine(controllers)
    hasher.combine(identities)
    hasher.combine(temporaryIDs)
    hasher.combine(nextHookNumber)
    hasher.combine(unfinishedBlockCount)
    if tellsHistory { hasher.combine(didSaves) }
    // The past of lanes that have nothing to do any more decides nothing.
    if !dispatcher.isIdle { hasher.combine(dispatcher) }
  }
}

extension ManagedObjectContext {
  /// `slots` are those of the instances, by ID: in which of them they sit says nothing.
  fileprivate func hashState(of slots: [Int], into hasher: inout Hasher) {
    hasher.combine(slots.count)
    for slot in slots { hash(objects[slot], into: &hasher) }
    hasher.combine(bindings.count)
    for binding in bindings {
      switch binding {
      case .unbound: hasher.combine(0)
      case .slot(let slot):
        hasher.combine(1)
        hasher.combine(objects[slot].id)
      case .gone(let id):
        hasher.combine(2)
        hasher.combine(id)
      }
    }
    for slot in unpropagated { hasher.combine(objects[slot].id) }
    hasher.combine(unpropagated.count)
    hasher.combine(hasReports)
    hasher.combine(undoManager)
    hasher.combine(mayCollect)
    hasher.combine(written)
    hasher.combine(deliveries)
    hasher.combine(autoreleased)
    hasher.combine(historyToken)
  }

  private func hash(_ object: ManagedObject, into hasher: inout Hasher) {
    hasher.combine(object.id)
    hasher.combine(object.flags)
    hasher.combine(object.current)
    hasher.combine(object.base)
    hasher.combine(object.version)
    hasher.combine(object.changed)
    hasher.combine(object.unfired)
    hasher.combine(object.holdCount)
    switch object.eventStart {
    case .none: hasher.combine(0)
    case .absent: hasher.combine(1)
    case .at(let index): hasher.combine(eventStarts[index])
    }
  }
}

extension PersistentStoreCoordinator {
  /// Which objects are registered for which row follows from the contexts.
  fileprivate func hashState(into hasher: inout Hasher) {
    hasher.combine(stores)
    hasher.combine(cache)
    hasher.combine(pendingMetadata)
    hasher.combine(unreferenced)
  }
}
