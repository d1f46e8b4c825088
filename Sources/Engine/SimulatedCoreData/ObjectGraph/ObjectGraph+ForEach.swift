import ObjectModel
import Vocabulary

/// Loops of an app's code over objects of a context.
extension ObjectGraph {
  /// Applies a treatment to each object of a set. §for-each §treat §delete-in-loop
  mutating func forEach(
    _ set: ObjectSet, _ treatment: Treatment, in context: ContextID
  ) throws(StepFailure) {
    for id in ids(of: set, in: context) {
      let isNew = lookup(id, in: context) == nil
      let slot = instance(id, in: context)
      if treatment == .delete {
        if contexts[context.index].isPendingDeletion(slot) { continue }
        guard fireQuietly(slot, in: context) else {
          if isNew { unregister(slot, in: context) }
          continue
        }
      }
      let known = contexts[context.index].id(of: slot)
      result.events.append(.object(known))
      if set.isLookedUp, !contexts[context.index].autoreleased.contains(known) {
        contexts[context.index].autoreleased.append(known)
      }
      switch treatment {
      case .delete: delete(slot, in: context)
      case .touch: try fire(slot, in: context)
      case .edit, .mark:
        guard let (property, value) = model[known.entity].mark else { continue }  // §treat.2.1
        try fire(slot, in: context)
        let shape = shapes[known.entity.index][property.index]
        if treatment == .mark,
          contexts[context.index].objects[slot].current.values[shape.slot] == value
        {
          continue
        }
        contexts[context.index].set(property, of: slot, to: value, by: setting)
        result.events.append(.hookSet(context, known, property, value))
      case .refresh(let mergeChanges):
        if contexts[context.index].isPendingDeletion(slot) { continue }
        refresh(slot, mergeChanges: mergeChanges, in: context)
      }
    }
  }

  /// Remembers objects in a variable. Reports the IDs that the variable did not contain. §remember
  mutating func remember(_ set: ObjectSet, as variable: IDSetID, in context: ContextID) {
    let new = ids(of: set, in: context).filter { !idSets[variable.index].contains($0) }
    idSets[variable.index] += new
    result.events.append(.objectIDs(new))
  }

  /// Finds the members of a set. §members
  private func ids(of set: ObjectSet, in context: ContextID) -> [ObjectID] {
    let c = context.index
    func unsaved(_ flag: ManagedObject.Flags) -> [ObjectID] {
      contexts[c].unsettledSlots.filter { slot in
        contexts[c].objects[slot].flags.contains(flag)
      }.map { contexts[c].id(of: $0) }
    }
    return switch set {
    case .delivered, .deliveredUpdates: []
    case .saved(let number, updatesOnly: false):
      didSaves[number].sets.inserted + didSaves[number].sets.updated
    case .saved(let number, updatesOnly: true): didSaves[number].sets.updated
    case .remembered(let variable): idSets[variable.index]
    case .inserted: unsaved(.inserted)
    case .updated: unsaved(.updated)
    case .registered: registeredIDs(in: context)
    }
  }
}

extension ObjectSet {
  /// Decides whether the loop adds the objects of the set to the event pool. §for-each.2.4
  fileprivate var isLookedUp: Bool {
    switch self {
    case .saved, .remembered: true
    default: false
    }
  }
}
