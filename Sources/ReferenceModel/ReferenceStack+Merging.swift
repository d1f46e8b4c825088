import ObjectModel
import Vocabulary

/// Bringing a context up to date, and giving up its changes.
extension ReferenceStack {
  /// `x` is neither deleted nor discarded.
  mutating func refresh(_ x: ObjectID, mergeChanges: Bool, in c: ContextID) {
    assert(!self[c, x].isRemoved, "\(x) is deleted and refreshed")
    if mergeChanges && self[c, x].isUpdated {
      if let loaded = load(x, in: c) {
        rebase(x, on: loaded, in: c)
        // LC-07
        events.append(.awakeFromSnapshot(c, x, .refresh))
      }
    } else if !(mergeChanges && self[c, x].isInserted) {
      if !self[c, x].isFault { turnIntoFault(x, in: c) }
      self[c, x].event.remove(.updated)
    }
    self[c, x].event.insert(.refreshed)
  }

  private mutating func turnIntoFault(_ x: ObjectID, in c: ContextID) {
    events.append(.hook(.willTurnIntoFault, c, x))
    followCode(.willTurnIntoFault, x, in: c)
    self[c, x].turnIntoFault()
    events.append(.hook(.didTurnIntoFault, c, x))
    followCode(.didTurnIntoFault, x, in: c)
  }

  mutating func reset(_ c: ContextID) {
    var sets = ChangeSets()
    sets.invalidatedAll = contexts[c.index].instances.ids
    contexts[c.index].reset()
    emptyControllers(of: c)
    if !sets.isEmpty { events.append(.objectsDidChange(c, sets)) }
  }

  /// FL-10: back to what was last loaded or saved, without a look at the level above.
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
        // It never had anything to go back to.
        recover(x, in: c)
      } else if instance.isUpdated || instance.isDeleted {
        self[c, x].realise(instance.base, unfired: instance.unfired)
        self[c, x].clean()
        // LC-07
        events.append(.awakeFromSnapshot(c, x, .rollback))
      }
      self[c, x].endEvent()
    }
    contexts[c.index].unpropagatedDeletions.removeAll()
    // UN-03
    contexts[c.index].undoManager?.removeAllGroups()
  }

  /// Merges the DidSave or batch result `number`.
  mutating func merge(_ number: Int, into c: ContextID) {
    merge(announcements[number].sets, number, into: c)
  }

  /// Merges `saved`, which is all of announcement `number` or a part of it.
  mutating func merge(_ saved: ChangeSets, _ number: Int, into c: ContextID) {
    needsCollection = true
    var merged = ChangeSets()
    // NT-17: inserts are registered, whether they are used or not.
    for id in saved.inserted where lookup(id, in: c) == nil {
      let x = reach(id, in: c)
      self[c, x].event.insert(.inserted)
      self[c, x].isMergedInsertion = mergedInsertionIsKept
      merged.inserted.append(x)
    }
    // NT-18: updates reach only what has values to bring up to date.
    for id in saved.updated {
      guard let x = lookup(id, in: c), !self[c, x].isFault, !self[c, x].isRemoved else {
        continue
      }
      refresh(x, mergeChanges: true, in: c)
      merged.updated.append(x)
    }
    // NT-15: deletes are pending deletes here, which the next save repeats.
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
    //
    if mergeReachesChildren, !merged.isEmpty {
      for child in contexts[c.index].children
      where contexts[child.index].mergesAutomatically {
        announce(AwaitedMerge(context: child, number: number))
      }
    }
  }
}
