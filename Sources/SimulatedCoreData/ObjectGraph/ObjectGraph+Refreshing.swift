import ObjectModel
import Vocabulary

/// `refresh`, `reset` and `rollback`: giving up the values that a context shows.
extension ObjectGraph {
  /// Refreshes an instance, and keeps or drops its unsaved changes. §refresh-instance
  mutating func refresh(_ slot: Int, mergeChanges: Bool, in context: ContextID) {
    assert(!isPendingDeletion(slot, in: context), "slot \(slot) is refreshed and deleted")
    let c = context.index
    let flags = contexts[c].objects[slot].flags
    if mergeChanges, flags.contains(.inserted) {
      // §refresh-instance.3: the values exist nowhere else, so there is nothing to refresh from.
    } else if mergeChanges, flags.contains(.updated) {
      if reload(slot, in: context) {
        let id = contexts[c].objects[slot].id
        result.events.append(.awakeFromSnapshot(context, id, .refresh))
      }
    } else {
      turnIntoFault(slot, in: context)
      contexts[c].objects[slot].flags.remove([.updated, .reportUpdated])
      contexts[c].mayCollect = true
    }
    contexts[c].objects[slot].flags.insert(.reportRefreshed)
    contexts[c].hasReports = true
  }

  /// Turns an instance into a fault, between its two hooks. §turn-into-fault
  private mutating func turnIntoFault(_ slot: Int, in context: ContextID) {
    let c = context.index
    guard !contexts[c].objects[slot].isFault else { return }
    let id = contexts[c].objects[slot].id
    result.events.append(.hook(.willTurnIntoFault, context, id))
    _ = callCode(.willTurnIntoFault, id, in: context)
    contexts[c].objects[slot].current = .init()
    contexts[c].objects[slot].base = .init()
    contexts[c].objects[slot].version = 0
    contexts[c].objects[slot].changed.removeAll()
    contexts[c].objects[slot].unfired.removeAll()
    contexts[c].objects[slot].flags.insert(.fault)
    contexts[c].objects[slot].flags.remove([.inaccessible, .kept])
    contexts[c].objects[slot].eventStart = .none
    assert(!isPendingDeletion(slot, in: context), "\(id) is deleted and turns into a fault")
    result.events.append(.hook(.didTurnIntoFault, context, id))
    _ = callCode(.didTurnIntoFault, id, in: context)
  }

  /// Loads an instance again, and rebases its unsaved changes on the result (FL-02). §rebase
  private mutating func reload(_ slot: Int, in context: ContextID) -> Bool {
    assert(!isFault(slot, in: context), "a fault is reloaded")
    let c = context.index
    let id = contexts[c].objects[slot].id
    guard let loaded = load(id, for: context) else { return false }
    // Collections become unfired: objects that they held may leave.
    contexts[c].mayCollect = true
    let object = contexts[c].objects[slot]
    var base = ManagedObject.Snapshot(
      values: loaded.values, collections: emptyCollections(of: id.entity))
    var merged = base
    var unfired = collectionSets[id.entity.index]
    for (index, shape) in shapes[id.entity.index].enumerated() {
      let isChanged = object.changed.contains(index) && !bugs.contains(.mergeOverwritesChanges)
      if shape.kind != .toMany {
        if isChanged || shape.isTransient {
          merged.values[shape.slot] = object.current.values[shape.slot]
        }
      } else if isChanged {
        let theirs = loadCollection(index, of: id, for: context) ?? []
        base.collections[shape.slot] = theirs
        if shape.isOrdered, theirs != object.base.collections[shape.slot] {
          marks.insert(.orderReapplied)
        }
        merged.collections[shape.slot] = reapplied(
          from: object.base.collections[shape.slot], to: object.current.collections[shape.slot],
          on: theirs, ordered: shape.isOrdered)
        unfired.remove(index)
      } else if !object.unfired.contains(index) {
        marks.insert(.refreshUnfires)
      }
    }
    assert(fits(merged.values, merged.collections, id.entity), "\(id) shows other properties")
    contexts[c].objects[slot].base = base
    contexts[c].objects[slot].current = merged
    contexts[c].objects[slot].unfired = unfired
    if !bugs.contains(.refreshKeepsVersion) {
      contexts[c].objects[slot].version = loaded.version
    }
    return true
  }

  /// Re-applies the changes from `base` to `mine` on `theirs`. §reapply
  private func reapplied(
    from base: [ObjectID], to mine: [ObjectID], on theirs: [ObjectID], ordered: Bool
  ) -> [ObjectID] {
    var result = theirs.filter { !base.contains($0) || mine.contains($0) }
    for member in mine where !base.contains(member) {
      ObjectGraph.insert(member, into: &result, ordered: ordered)
    }
    assert(result.hasNoDuplicates, "a collection has a member twice")
    return result
  }

  /// Refreshes the source of a load silently, where old copies hide nothing, and keeps its unsaved
  /// changes. False if the object is missing in the levels above. §source.5
  mutating func bringUpToDate(_ slot: Int, in context: ContextID) -> Bool {
    contexts[context.index].objects[slot].flags.contains(.inserted) || reload(slot, in: context)
  }

  /// Refreshes all objects of a context. §refresh-all
  mutating func refreshAllObjects(in context: ContextID) {
    for slot in registeredSlots(of: context)
    where !contexts[context.index].objects[slot].isPendingDeletion {
      refresh(slot, mergeChanges: !bugs.contains(.refreshAllDropsChanges), in: context)
    }
  }

  /// Resets a context. §reset
  mutating func reset(_ context: ContextID) {
    if notesWrites { noteLosses(of: context) }
    var sets = ChangeSets()
    for slot in registeredSlots(of: context) {
      sets.invalidatedAll.append(contexts[context.index].objects[slot].id)
      unregister(slot, in: context)
    }
    assert(instanceCount(of: context) == 0, "an instance outlives a reset")
    forgetEvent(in: context)
    silenceControllers(of: context)
    contexts[context.index].undoManager?.removeAllActions()
    contexts[context.index].autoreleased.removeAll()
    if !sets.isEmpty { result.events.append(.objectsDidChange(context, sets)) }
  }

  /// Discards a context: another one takes its place, without a notification (CC-19). Children keep
  /// their parent alive. §discard
  mutating func discard(_ context: ContextID) {
    guard contexts[context.index].children.isEmpty else { return result.events.append(.nothing) }
    if notesWrites { noteLosses(of: context) }
    for slot in registeredSlots(of: context) { unregister(slot, in: context) }
    assert(instanceCount(of: context) == 0, "an instance outlives its context")
    forgetEvent(in: context)
    contexts[context.index].autoreleased.removeAll()
    silenceControllers(of: context)
    contexts[context.index].historyToken = 0
    contexts[context.index].mergePolicy = stack.contexts[context.index].mergePolicy
    if contexts[context.index].undoManager != nil {
      contexts[context.index].undoManager = UndoManager()
    }
  }

  /// Notes the unsaved changes that a context drops.
  private mutating func noteLosses(of context: ContextID) {
    for slot in unsettledSlots(of: context) {
      let object = contexts[context.index].objects[slot]
      if object.flags.contains(.inserted) {
        result.evidence.append(.lost(context, object: object.id, .insertion))
      } else if object.flags.contains(.deleted) {
        result.evidence.append(.lost(context, object: object.id, .deletion))
      } else if object.flags.contains(.updated) {
        for (property, shape) in shapes[object.id.entity.index].enumerated()
        where isReallyChanged(property, of: object) {
          let loss: Evidence.Loss =
            shape.kind == .toMany
            ? .members(PropertyID(property))
            : .value(PropertyID(property), object.current.values[shape.slot])
          result.evidence.append(.lost(context, object: object.id, loss))
        }
      }
    }
  }

  /// Empties the running event; the instances in it are clean or gone.
  private mutating func forgetEvent(in context: ContextID) {
    assert(
      unsettledSlots(of: context).allSatisfy {
        contexts[context.index].objects[$0].eventStart == .none
          || bugs.contains(.rollbackKeepsInsertions)
      }, "an instance is part of an event that is dropped")
    contexts[context.index].hasReports = false
    contexts[context.index].eventStarts.removeAll(keepingCapacity: true)
  }

  /// Rolls a context back. §rollback
  mutating func rollback(_ context: ContextID) {
    if notesWrites { noteLosses(of: context) }
    let c = context.index
    for slot in unsettledSlots(of: context) {
      let flags = contexts[c].objects[slot].flags
      contexts[c].objects[slot].eventStart = .none
      if !flags.isDisjoint(with: [.inserted, .discarded]) {
        if flags.contains(.inserted), bugs.contains(.rollbackKeepsInsertions) { continue }
        unregister(slot, in: context)
        continue
      }
      if flags.contains(.inaccessible) {
        // §rollback.1.2: there is no base to go back to (FL-14).
        marks.insert(.inaccessibleRolledBack)
        forgetInaccessibility(of: slot, in: context)
      } else if !flags.isDisjoint(with: [.updated, .deleted]) {
        contexts[c].objects[slot].current = contexts[c].objects[slot].base
        contexts[c].objects[slot].changed.removeAll()
        contexts[c].objects[slot].flags.remove([.updated, .deleted])
        result.events.append(.awakeFromSnapshot(context, contexts[c].objects[slot].id, .rollback))
      }
      contexts[c].objects[slot].flags.remove(.reports)
    }
    contexts[c].unpropagated.removeAll()
    forgetEvent(in: context)
    if contexts[c].undoManager?.isEmpty == false { marks.insert(.rollbackForgetsUndo) }
    contexts[c].undoManager?.removeAllActions()
    contexts[c].mayCollect = true
  }
}
