import ObjectModel
import Vocabulary

/// What one commit is about: all by ID, none twice; what is inserted, updated, written and deleted
/// in ID order.
struct Commit {
  var inserted: [ObjectID] = []
  /// Updated and not inserted.
  var updated: [ObjectID] = []
  /// Those of `updated` that differ from what they were.
  var written: [ObjectID] = []
  var deleted: [ObjectID] = []
  /// Those of `written` whose rows are gone and come back (MP-19).
  var recreated: [ObjectID] = []
  /// Those of `written` whose values a merge policy has chosen.
  var resolved: [ObjectID] = []
  /// Unchanged, or not changed really, but their versions are checked (MP-06).
  var watched: [ObjectID] = []
  /// Rows that keep their place against new ones and take over their values (MP-25).
  var winners = IDTable<Winner>()
  /// Those of `inserted` that the parent has as inserted already (ID-34).
  var insertedAgain: [ObjectID] = []

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

  /// Whether the save gives `x` a row that was not there.
  func makesRow(of x: ObjectID) -> Bool {
    inserted.containsInOrder(x) || recreated.contains(x)
  }

  /// `x` is not saved after all.
  mutating func remove(_ x: ObjectID) {
    inserted.removeAll { $0 == x }
    updated.removeAll { $0 == x }
    written.removeAll { $0 == x }
    deleted.removeAll { $0 == x }
    assert(!(inserted + updated + written + deleted).contains(x), "\(x) is saved all the same")
  }

  /// Whether each object is saved in one way, and all that is written is updated.
  var isConsistent: Bool {
    (inserted + updated + deleted).hasNoDuplicates && inserted.isStrictlyAscending
      && updated.isStrictlyAscending && written.isStrictlyAscending && deleted.isStrictlyAscending
      && written.allSatisfy(updated.contains) && watched.allSatisfy { !written.contains($0) }
  }
}

/// `save`, phase by phase.
extension ReferenceStack {
  mutating func save(_ phase: Phase, in c: ContextID) {
    switch phase {
    case .whole: preconditionFailure("a save comes in four phases")
    case .flush: processPendingChanges(in: c, isSaving: true)
    case .willSave: willSave(c)
    case .commit: commit(c)
    case .finish: finish(c)
    }
  }

  private mutating func willSave(_ c: ContextID) {
    if contextWillSaveComesFirst { events.append(.contextWillSave(c)) }
    if let x = runWillSaveHooks(c) {
      events.append(.failed(.willSaveLoop(x)))
      return
    }
    processPendingChanges(in: c, isSaving: true)
    if !contextWillSaveComesFirst { events.append(.contextWillSave(c)) }
  }

  /// The first object that cannot stop changing itself, if there is one.
  private mutating func runWillSaveHooks(_ c: ContextID) -> ObjectID? {
    var round = pending(in: c) { $0.isPending && !$0.isDiscarded }
    let isCode = !hookCalls.isEmpty
    var told: Set<ObjectID> = []
    // LC-09: it takes a thousand rounds to be sure.
    for _ in 1...1000 {
      var changed: [ObjectID] = []
      for x in round {
        events.append(.hook(.willSave, c, x))
        if followCode(.willSave, x, in: c) || runActions(of: .willSave, on: x, in: c) {
          changed.append(x)
        }
      }
      if isCode {
        told.formUnion(round)
        // LC-A9: what the app's code has changed besides is saved as well, and hears of it.
        let pending = pending(in: c) { $0.isPending && !$0.isDiscarded }
        for x in pending where !told.contains(x) { changed.append(x) }
      }
      // An object that changes itself in willSave gets another one.
      round = changed
      if round.isEmpty { break }
    }
    return round.first
  }

  private mutating func commit(_ c: ContextID) {
    processPendingChanges(in: c, isSaving: true)
    recoverMissed(in: c)
    var commit = Commit()
    noteChanges(of: c, in: &commit)
    assert(commit.isConsistent, "an object is saved in two ways")
    assert(contexts[c.index].unpropagatedDeletions.isEmpty, "a deletion has not propagated")
    contexts[c.index].saved = SavedSets()
    for x in commit.inserted { _ = fire(x, in: c) }
    if commit.isEmpty {
      // SV-15: the store hears of it nevertheless.
      guard contexts[c.index].isRoot else { return }
      if let failure = writeFailure(of: commit, in: c) {
        events.append(.failed(failure))
      } else {
        request(commit, of: c, writesMetadata: !emptySaveLeavesMetadata)
      }
      return
    }

    if let failure = firstFailure(of: commit, in: c) {
      events.append(.failed(failure))
      return
    }
    let conflicts = conflicts(of: commit, in: c)
    if !conflicts.isEmpty, contexts[c.index].mergePolicy == .error {
      events.append(.failed(.mergeConflicts(conflicts.map(\.failure))))
      return
    }
    // SV-18: before a policy changes anything.
    if let parent = contexts[c.index].parent,
      let failure = accessFailure(of: commit, conflicts, in: c, toParent: parent)
    {
      events.append(.failed(failure))
      return
    }
    settle(conflicts, in: &commit, c)

    assert(commit.isConsistent, "a merge policy has an object saved in two ways")
    if let parent = contexts[c.index].parent {
      note(commit, of: c)
      write(&commit, of: c, toParent: parent)
    } else {
      if let failure = settleUniqueness(in: &commit, c) {
        events.append(.failed(failure))
        return
      }
      let affected = contextsAffected(first: [c])
      becomePermanent(commit.inserted.filter(\.isTemporaryID), under: c, in: affected)
      commit.inserted = registered(commit.inserted, in: c)
      commit.inserted.sort()
      note(commit, of: c)
      writeToStore(commit, of: c)
      request(commit, of: c, writesMetadata: true)
    }
    for x in pending(in: c) where self[c, x].isWatched { self[c, x].isWatched = false }
  }

  /// What they are called by now.
  private func registered(_ objects: [ObjectID], in c: ContextID) -> [ObjectID] {
    objects.map { lookup($0, in: c) ?? $0 }
  }

  /// What the notification will say.
  private mutating func note(_ commit: Commit, of c: ContextID) {
    var saved = SavedSets(
      inserted: commit.inserted, updated: commit.updated, deleted: commit.deleted)
    for id in commit.winners.ids {
      let winner = localize(id, in: c)
      if !saved.updated.contains(winner) { saved.updated.append(winner) }
    }
    if !commit.winners.isEmpty { saved.updated.sort() }
    assert(saved.isSorted, "a notification lists objects out of order")
    contexts[c.index].saved = saved
  }

  /// SV-15, ID-35: what a root's save asks its coordinator to write, permanent IDs in place.
  private mutating func request(_ commit: Commit, of c: ContextID, writesMetadata: Bool) {
    let coordinator = contexts[c.index].coordinator
    assert(contexts[c.index].isRoot, "a child saves to a store")
    if writesMetadata { writeMetadata(of: coordinator) }
    var sets = ChangeSets()
    sets.inserted = rows(commit.inserted)
    sets.inserted.sort()
    sets.updated = rows(commit.written)
    if !commit.winners.isEmpty { sets.updated += commit.winners.ids }
    sets.updated.sort()
    sets.deleted = rows(commit.deleted)
    sets.deleted.sort()
    events.append(.saveRequest(coordinator, sets))
  }

  private mutating func noteChanges(of c: ContextID, in commit: inout Commit) {
    for x in pending(in: c) {
      let change = self[c, x].change
      switch change {
      case .insertion: commit.inserted.note(x)
      case .deletion: commit.deleted.note(x)
      case .update:
        commit.updated.note(x)
        if isWritten(x, in: c) { commit.written.note(x) }
      case nil: break
      }
      if self[c, x].isWatched, contexts[c.index].isRoot, change == nil || change == .update,
        !self[c, x].isFault, commit.written.last != x
      {
        commit.watched.note(x)
      }
    }
  }

  func isWritten(_ x: ObjectID, in c: ContextID) -> Bool {
    for (property, shape) in shapes[x.entity.index].properties.enumerated()
    where self[c, x].isReallyChanged(property, shape) || self[c, x].differsFromRow(shape) {
      return true
    }
    return false
  }

  private mutating func finish(_ c: ContextID) {
    let sets = contexts[c.index].saved.sets
    var told = sets.inserted
    for x in sets.updated { told.note(x) }
    for x in sets.deleted { told.note(x) }
    told.sort()
    for x in told {
      events.append(.hook(.didSave, c, x))
      followCode(.didSave, x, in: c)
    }
    let number = announce(sets, by: c, isOfStores: contexts[c.index].isRoot)
    events.append(.didSave(c, sets, number: number))
    // NT-04.
    events.append(.didSaveObjectIDs(c, sets, number: number))
    events.append(.saved)
    for index in contexts.indices where mergesAutomatically(ContextID(index), after: c) {
      announce(AwaitedMerge(context: ContextID(index), number: number))
    }
  }

  /// A context will merge a save by itself.
  mutating func announce(_ merge: AwaitedMerge) {
    awaitedMerges.append(merge)
    announcedMerges.append(merge)
  }

  /// Keeps what contexts may merge later; answers its number.
  mutating func announce(_ sets: ChangeSets, by c: ContextID, isOfStores: Bool) -> Int {
    let root = contexts[c.index].chain.last ?? c
    if announcements.isEmpty { announcements.reserveCapacity(8) }
    announcements.append(Announcement(sets: sets, root: root, isOfStores: isOfStores))
    assert(contexts[root.index].isRoot, "\(root) is no root")
    return announcements.count - 1
  }

  /// NT-22: children follow their parent's saves. NT-23: roots follow each other.
  private func mergesAutomatically(_ target: ContextID, after c: ContextID) -> Bool {
    guard contexts[target.index].mergesAutomatically, target != c else { return false }
    if contexts[target.index].parent == c { return true }
    return contexts[c.index].isRoot && contexts[target.index].isRoot
      && contexts[c.index].coordinator == contexts[target.index].coordinator
  }
}
