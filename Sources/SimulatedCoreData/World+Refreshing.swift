import ObjectModel
import Vocabulary

/// `refresh`, `reset`, `rollback`: giving up what a context shows.
extension World {
  mutating func refresh(_ slot: Int, mergeChanges: Bool, in context: ContextID) {
    let c = context.index
    let flags = contexts[c].objects[slot].flags
    if mergeChanges, flags.contains(.inserted) {
      // Its values are nowhere else: there is nothing to refresh from.
    } else if mergeChanges, flags.contains(.updated) {
      _ = reload(slot, in: context)
    } else {
      turnIntoFault(slot, in: context)
      contexts[c].objects[slot].flags.remove([.updated, .reportUpdated])
      contexts[c].mayCollect = true
    }
    contexts[c].objects[slot].flags.insert(.reportRefreshed)
    contexts[c].hasReports = true
  }

  private mutating func turnIntoFault(_ slot: Int, in context: ContextID) {
    let c = context.index
    guard !contexts[c].objects[slot].isFault else { return }
    let id = contexts[c].objects[slot].id
    events.append(.hook(.willTurnIntoFault, context, id))
    contexts[c].objects[slot].current = .init()
    contexts[c].objects[slot].base = .init()
    contexts[c].objects[slot].version = 0
    contexts[c].objects[slot].changed.removeAll()
    contexts[c].objects[slot].flags.insert(.fault)
    events.append(.hook(.didTurnIntoFault, context, id))
  }

  /// Takes what is there now as the base and lays the local changes over it (FL-02).
  private mutating func reload(_ slot: Int, in context: ContextID) -> Bool {
    let c = context.index
    let id = contexts[c].objects[slot].id
    guard let loaded = load(id, for: context) else { return false }
    let object = contexts[c].objects[slot]
    var merged = loaded.snapshot
    for (index, shape) in shapes[id.entity.index].enumerated() {
      let isChanged = object.changed.contains(index) && !bugs.contains(.mergeOverwritesChanges)
      if shape.kind != .toMany {
        if isChanged || shape.isTransient {
          merged.values[shape.slot] = object.current.values[shape.slot]
        }
      } else if isChanged {
        merged.collections[shape.slot] = reapplied(
          from: object.base.collections[shape.slot], to: object.current.collections[shape.slot],
          on: loaded.snapshot.collections[shape.slot], ordered: shape.isOrdered)
      }
    }
    contexts[c].objects[slot].base = loaded.snapshot
    contexts[c].objects[slot].current = merged
    if !bugs.contains(.refreshKeepsVersion) {
      contexts[c].objects[slot].version = loaded.version
    }
    return true
  }

  /// `theirs` with what led from `base` to `mine` done to it as well.
  private func reapplied(
    from base: [ObjectID], to mine: [ObjectID], on theirs: [ObjectID], ordered: Bool
  ) -> [ObjectID] {
    var result = theirs.filter { !base.contains($0) || mine.contains($0) }
    for member in mine where !base.contains(member) {
      insert(member, into: &result, ordered: ordered)
    }
    return result
  }

  /// What a load from below does to a copy where old copies hide nothing: a silent refresh that
  /// keeps unsaved changes. False if the object is gone from the levels above.
  mutating func bringUpToDate(_ slot: Int, in context: ContextID) -> Bool {
    contexts[context.index].objects[slot].flags.contains(.inserted) || reload(slot, in: context)
  }

  mutating func refreshAllObjects(in context: ContextID) {
    for slot in contexts[context.index].order
    where !contexts[context.index].objects[slot].isDoomed {
      refresh(slot, mergeChanges: true, in: context)
    }
  }

  mutating func reset(_ context: ContextID) {
    var sets = ChangeSets()
    for slot in contexts[context.index].order {
      sets.invalidatedAll.append(contexts[context.index].objects[slot].id)
      unregister(slot, in: context)
    }
    contexts[context.index].hasReports = false
    if !sets.isEmpty { events.append(.objectsDidChange(context, sets)) }
  }

  mutating func rollback(_ context: ContextID) {
    let c = context.index
    for slot in contexts[c].order {
      let flags = contexts[c].objects[slot].flags
      if !flags.isDisjoint(with: [.inserted, .discarded]) {
        if flags.contains(.inserted), bugs.contains(.rollbackKeepsInsertions) { continue }
        unregister(slot, in: context)
      } else if !flags.isDisjoint(with: [.updated, .deleted]) {
        contexts[c].objects[slot].current = contexts[c].objects[slot].base
        contexts[c].objects[slot].changed.removeAll()
        contexts[c].objects[slot].flags.remove([.updated, .deleted])
      }
      contexts[c].objects[slot].flags.remove(.reports)
    }
    contexts[c].unpropagated.removeAll()
    contexts[c].hasReports = false
    contexts[c].mayCollect = true
  }
}
