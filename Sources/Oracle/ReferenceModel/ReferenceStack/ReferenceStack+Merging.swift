import ObjectModel
import Vocabulary

/// Refreshes, resets and rolls back contexts, and merges changes into them.
extension ReferenceStack {
  /// Refreshes an instance that is not doomed. §refresh-instance
  mutating func refresh(_ x: ObjectID, mergeChanges: Bool, in c: ContextID) {
    assert(!self[c, x].isRemoved, "\(x) is deleted and refreshed")
    if mergeChanges && self[c, x].isUpdated {
      if let loaded = load(x, in: c) {
        rebase(x, on: loaded, in: c)
        // §refresh-instance.2.2.2 (LC-07)
        events.append(.awakeFromSnapshot(c, x, .refresh))
      }
    } else if !(mergeChanges && self[c, x].isInserted) {
      if !self[c, x].isFault { turnIntoFault(x, in: c) }
      self[c, x].event.remove(.updated)
    }
    self[c, x].event.insert(.refreshed)
  }

  /// Turns an instance into a fault and calls the hooks. §refresh-instance.3.1
  private mutating func turnIntoFault(_ x: ObjectID, in c: ContextID) {
    events.append(.hook(.willTurnIntoFault, c, x))
    followCode(.willTurnIntoFault, x, in: c)
    self[c, x].turnIntoFault()
    events.append(.hook(.didTurnIntoFault, c, x))
    followCode(.didTurnIntoFault, x, in: c)
  }

  /// Resets a context. §reset
  mutating func reset(_ c: ContextID) {
    var sets = ChangeSets()
    sets.invalidatedAll = contexts[c.index].instances.ids
    contexts[c.index].reset()
    emptyControllers(of: c)
    if !sets.isEmpty { events.append(.objectsDidChange(c, sets)) }
  }

  /// Restores the values last loaded or saved, without asking the level above (FL-10). §rollback
  mutating func rollback(_ c: ContextID) {
    var changed = pending(in: c)
    for x in changing(in: c) { changed.insertInOrder(x) }
    for x in changed {
      let instance = self[c, x]
      if instance.isInserted || instance.isDiscarded {
        contexts[c.index].leave(x)
        continue
      }
      if instance.isInaccessible {
        // §rollback.1.2: an inaccessible instance has no base to restore.
        recover(x, in: c)
      } else if instance.isUpdated || instance.isDeleted {
        self[c, x].realise(instance.base, unfired: instance.unfired)
        self[c, x].clean()
        // §rollback.1.3.3 (LC-07)
        events.append(.awakeFromSnapshot(c, x, .rollback))
      }
      self[c, x].endEvent()
    }
    contexts[c.index].unpropagatedDeletions.removeAll()
    // §rollback.3 (UN-03)
    contexts[c.index].undoManager?.removeAllGroups()
  }

  /// Merges the DidSave or the batch result `number`. §merge
  mutating func merge(_ number: Int, into c: ContextID) {
    merge(announcements[number].sets, number, into: c)
  }

  /// Merges `saved`, which is all of announcement `number` or a part of it. §merge
  mutating func merge(_ saved: ChangeSets, _ number: Int, into c: ContextID) {
    needsCollection = true
    var merged = ChangeSets()
    // §merge.2 (NT-17)
    for id in saved.inserted where lookup(id, in: c) == nil {
      let x = reach(id, in: c)
      self[c, x].event.insert(.inserted)
      self[c, x].isMergedInsertion = mergedInsertionIsKept
      merged.inserted.append(x)
    }
    // §merge.3: updates affect only realised instances (NT-18).
    for id in saved.updated {
      guard let x = lookup(id, in: c), !self[c, x].isFault, !self[c, x].isRemoved else {
        continue
      }
      refresh(x, mergeChanges: true, in: c)
      merged.updated.append(x)
    }
    // §merge.4: deletions become pending here, and the next save repeats them (NT-15).
    for id in saved.deleted {
      guard let x = lookup(id, in: c), !self[c, x].isInserted, !self[c, x].isRemoved else {
        continue
      }
      if self[c, x].isFault {
        becomeInaccessible(x, in: c)
      } else {
        delete(x, in: c)
      }
      merged.deleted.append(x)
    }
    assert(
      merged.inserted.hasNoDuplicates && merged.updated.hasNoDuplicates
        && merged.deleted.hasNoDuplicates, "a merge names an object twice")
    merged.inserted.sort()
    merged.updated.sort()
    merged.deleted.sort()
    merged.refreshed = merged.updated
    processPendingChanges(in: c, namesObjects: !mergeNotificationLacksObjects)
    events.append(.didMergeChanges(c, merged))
    // §merge.7
    if mergeReachesChildren, !merged.isEmpty {
      for child in contexts[c.index].children
      where contexts[child.index].mergesAutomatically {
        announce(AwaitedMerge(context: child, number: number))
      }
    }
  }
}
