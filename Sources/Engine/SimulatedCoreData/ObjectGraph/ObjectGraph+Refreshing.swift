import ObjectModel
import Vocabulary

/// `refresh`, `reset` and `rollback`, which discard the values that a context shows.
extension ObjectGraph {
  /// Refreshes an instance, and keeps or discards its unsaved changes. §refresh-instance
  mutating func refresh(_ slot: Int, mergeChanges: Bool, in context: ContextID) {
    assert(
      !contexts[context.index].isPendingDeletion(slot), "slot \(slot) is refreshed and deleted")
    let c = context.index
    let flags = contexts[c].flags(of: slot)
    if mergeChanges, flags.contains(.inserted) {
      // §refresh-instance.3: the values exist nowhere else, so there is nothing to refresh from.
    } else if mergeChanges, flags.contains(.updated) {
      if reload(slot, in: context) {
        let id = contexts[c].id(of: slot)
        result.events.append(.awakeFromSnapshot(context, id, .refresh))
      }
    } else {
      // An inserted object stays inserted.
      if notesWrites, flags.contains(.updated), !flags.contains(.inserted) {
        noteLoss(of: slot, in: context)
      }
      turnIntoFault(slot, in: context)
      contexts[c].unmark(slot, as: [.updated, .reportUpdated])
      contexts[c].mayCollect = true
    }
    contexts[c].mark(slot, as: .reportRefreshed)
    contexts[c].hasReports = true
  }

  /// Turns an instance into a fault, between its two hooks. §turn-into-fault
  private mutating func turnIntoFault(_ slot: Int, in context: ContextID) {
    let c = context.index
    guard !contexts[c].isFault(slot) else { return }
    let id = contexts[c].id(of: slot)
    result.events.append(.hook(.willTurnIntoFault, context, id))
    _ = callCode(.willTurnIntoFault, id, in: context)
    contexts[c].objects[slot].current = .init()
    contexts[c].objects[slot].base = .init()
    contexts[c].objects[slot].version = 0
    contexts[c].objects[slot].changed.removeAll()
    contexts[c].objects[slot].unfired.removeAll()
    contexts[c].mark(slot, as: .fault)
    contexts[c].unmark(slot, as: [.inaccessible, .kept])
    contexts[c].objects[slot].eventStart = .none
    assert(!contexts[c].isPendingDeletion(slot), "\(id) is deleted and turns into a fault")
    result.events.append(.hook(.didTurnIntoFault, context, id))
    _ = callCode(.didTurnIntoFault, id, in: context)
  }

  /// Loads an instance again and rebases its unsaved changes on the result (FL-02). §rebase
  private mutating func reload(_ slot: Int, in context: ContextID) -> Bool {
    assert(!contexts[context.index].isFault(slot), "a fault is reloaded")
    let c = context.index
    let id = contexts[c].id(of: slot)
    guard let loaded = load(id, for: context) else { return false }
    // Collections become unfired, so objects that they held may be released.
    contexts[c].mayCollect = true
    let object = contexts[c].objects[slot]
    var base = ManagedObject.Snapshot(
      values: loaded.values, collections: setting.emptyCollections[id.entity.index])
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
    assert(
      setting.fits(merged.values, merged.collections, id.entity), "\(id) shows other properties")
    contexts[c].objects[slot].base = base
    contexts[c].objects[slot].current = merged
    contexts[c].objects[slot].unfired = unfired
    if !bugs.contains(.refreshKeepsVersion) {
      contexts[c].objects[slot].version = loaded.version
    }
    return true
  }

  /// Applies the changes from `base` to `mine` to `theirs`. §reapply
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

  /// Refreshes the source of a load silently and keeps its unsaved changes. Used if ancestors do
  /// not hide updates. Returns `false` if the object is missing in the levels above. §source.5
  mutating func bringUpToDate(_ slot: Int, in context: ContextID) -> Bool {
    contexts[context.index].has(.inserted, slot) || reload(slot, in: context)
  }

  /// Refreshes all objects of a context. §refresh-all
  mutating func refreshAllObjects(in context: ContextID) {
    for slot in contexts[context.index].registeredSlots
    where !contexts[context.index].isPendingDeletion(slot) {
      refresh(slot, mergeChanges: !bugs.contains(.refreshAllDropsChanges), in: context)
    }
  }

  /// Resets a context. §reset
  mutating func reset(_ context: ContextID) {
    if notesWrites { noteLosses(of: context) }
    var sets = ChangeSets()
    for slot in contexts[context.index].registeredSlots {
      sets.invalidatedAll.append(contexts[context.index].id(of: slot))
      unregister(slot, in: context)
    }
    assert(instanceCount(of: context) == 0, "an instance outlives a reset")
    contexts[context.index].forgetEvent(by: setting)
    silenceControllers(of: context)
    contexts[context.index].undoManager?.removeAllActions()
    contexts[context.index].autoreleased.removeAll()
    if !sets.isEmpty { result.events.append(.objectsDidChange(context, sets)) }
  }

  /// Discards a context and replaces it with a new one, without a notification (CC-19). A context
  /// with children stays, because children keep their parent alive. §discard
  mutating func discard(_ context: ContextID) {
    guard contexts[context.index].children.isEmpty else { return result.events.append(.nothing) }
    if notesWrites { noteLosses(of: context) }
    for slot in contexts[context.index].registeredSlots { unregister(slot, in: context) }
    assert(instanceCount(of: context) == 0, "an instance outlives its context")
    contexts[context.index].forgetEvent(by: setting)
    contexts[context.index].autoreleased.removeAll()
    silenceControllers(of: context)
    contexts[context.index].historyToken = 0
    contexts[context.index].mergePolicy = stack.contexts[context.index].mergePolicy
    if contexts[context.index].undoManager != nil {
      contexts[context.index].undoManager = UndoManager()
    }
  }

  /// Records the unsaved changes that a context discards.
  private mutating func noteLosses(of context: ContextID) {
    for slot in contexts[context.index].unsettledSlots { noteLoss(of: slot, in: context) }
  }

  /// Records the unsaved changes that an instance discards.
  private mutating func noteLoss(of slot: Int, in context: ContextID) {
    let object = contexts[context.index].objects[slot]
    if object.flags.contains(.inserted) {
      result.evidence.append(.lost(context, object: object.id, .insertion))
    } else if object.flags.contains(.deleted) {
      result.evidence.append(.lost(context, object: object.id, .deletion))
    } else if object.flags.contains(.updated) {
      for (property, shape) in shapes[object.id.entity.index].enumerated()
      where object.isReallyChanged(property, by: setting) {
        let loss: Evidence.Loss =
          shape.kind == .toMany
          ? .members(PropertyID(property))
          : .value(PropertyID(property), object.current.values[shape.slot])
        result.evidence.append(.lost(context, object: object.id, loss))
      }
    }
  }

  /// Rolls a context back. §rollback
  mutating func rollback(_ context: ContextID) {
    if notesWrites { noteLosses(of: context) }
    let c = context.index
    for slot in contexts[c].unsettledSlots {
      let flags = contexts[c].flags(of: slot)
      contexts[c].objects[slot].eventStart = .none
      if !flags.isDisjoint(with: [.inserted, .discarded]) {
        if flags.contains(.inserted), bugs.contains(.rollbackKeepsInsertions) { continue }
        unregister(slot, in: context)
        continue
      }
      if flags.contains(.inaccessible) {
        // §rollback.1.2: the instance has no base to restore (FL-14).
        marks.insert(.inaccessibleRolledBack)
        contexts[c].forgetInaccessibility(of: slot)
      } else if !flags.isDisjoint(with: [.updated, .deleted]) {
        contexts[c].objects[slot].current = contexts[c].objects[slot].base
        contexts[c].objects[slot].changed.removeAll()
        contexts[c].unmark(slot, as: [.updated, .deleted])
        result.events.append(.awakeFromSnapshot(context, contexts[c].id(of: slot), .rollback))
      }
      contexts[c].unmark(slot, as: .reports)
    }
    contexts[c].unpropagated.removeAll()
    contexts[c].forgetEvent(by: setting)
    if contexts[c].undoManager?.isEmpty == false { marks.insert(.rollbackForgetsUndo) }
    contexts[c].undoManager?.removeAllActions()
    contexts[c].mayCollect = true
  }
}
