import ObjectModel
import Vocabulary

/// The objects of one commit, by ID and without duplicates. The inserted, updated, written and
/// deleted objects are in ID order.
struct Commit {
  var inserted: [ObjectID] = []
  /// Updated objects that are not inserted.
  var updated: [ObjectID] = []
  /// The objects of `updated` that differ from their base. §written
  var written: [ObjectID] = []
  var deleted: [ObjectID] = []
  /// The objects of `written` whose missing rows are re-created (MP-19).
  var recreated: [ObjectID] = []
  /// The objects of `written` whose values a merge policy has chosen.
  var resolved: [ObjectID] = []
  /// Objects that are not written, but whose versions are checked (MP-06).
  var watched: [ObjectID] = []
  /// Rows that win against inserted objects and take their values (MP-25).
  var winners = IDTable<Winner>()
  /// The objects of `inserted` that are already inserted in the parent (ID-34).
  var insertedAgain: [ObjectID] = []

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

  /// Returns true if the commit creates the row of `x`.
  func makesRow(of x: ObjectID) -> Bool {
    inserted.containsInOrder(x) || recreated.contains(x)
  }

  /// Removes an object from the lists of the commit.
  mutating func remove(_ x: ObjectID) {
    inserted.removeAll { $0 == x }
    updated.removeAll { $0 == x }
    written.removeAll { $0 == x }
    deleted.removeAll { $0 == x }
    assert(!(inserted + updated + written + deleted).contains(x), "\(x) is saved all the same")
  }

  /// A Boolean value that indicates whether each object is saved in only one way, and each written
  /// object is updated.
  var isConsistent: Bool {
    (inserted + updated + deleted).hasNoDuplicates && inserted.isStrictlyAscending
      && updated.isStrictlyAscending && written.isStrictlyAscending && deleted.isStrictlyAscending
      && written.allSatisfy(updated.contains) && watched.allSatisfy { !written.contains($0) }
  }
}

/// The phases of a save.
extension ReferenceStack {
  /// Performs a phase of a save. §save
  mutating func save(_ phase: Phase, in c: ContextID) {
    switch phase {
    case .whole: preconditionFailure("a save comes in four phases")
    // §flush
    case .flush: processPendingChanges(in: c, isSaving: true)
    case .willSave: willSave(c)
    case .commit: commit(c)
    case .finish: finish(c)
    }
  }

  /// Sends willSave to the changed objects of `c`, and then posts contextWillSave. §will-save
  private mutating func willSave(_ c: ContextID) {
    // §will-save.1
    if contextWillSaveComesFirst { events.append(.contextWillSave(c)) }
    if let x = runWillSaveHooks(c) {
      events.append(.failed(.willSaveLoop(x)))
      return
    }
    processPendingChanges(in: c, isSaving: true)
    if !contextWillSaveComesFirst { events.append(.contextWillSave(c)) }
  }

  /// Sends willSave in rounds. Returns the first object that never stops changing itself, if any.
  /// §will-save-object
  private mutating func runWillSaveHooks(_ c: ContextID) -> ObjectID? {
    var round = pending(in: c) { $0.isPending && !$0.isDiscarded }
    let isCode = !hookCalls.isEmpty
    var called: Set<ObjectID> = []
    // §will-save.4.4 (LC-09)
    for _ in 1...1000 {
      var changed: [ObjectID] = []
      for x in round {
        events.append(.hook(.willSave, c, x))
        if followCode(.willSave, x, in: c) || runActions(of: .willSave, on: x, in: c) {
          changed.append(x)
        }
      }
      if isCode {
        called.formUnion(round)
        // §will-save.4.6: objects that code has also changed are saved and receive willSave, too
        // (LC-A9).
        let pending = pending(in: c) { $0.isPending && !$0.isDiscarded }
        for x in pending where !called.contains(x) { changed.append(x) }
      }
      // §will-save.4.5
      round = changed
      if round.isEmpty { break }
    }
    return round.first
  }

  /// Commits `c`. Validates, settles conflicts, and writes to the parent or to the stores. §commit
  ///
  /// The parts for a child and for a root are §commit-to-parent and §commit-to-stores.
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
      // §commit.5.2: the stores receive an empty save, too (SV-15).
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
    // §commit-to-parent.3: check this before a policy changes anything (SV-18).
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

  /// Returns the present IDs of objects. §commit-to-stores.10
  private func registered(_ objects: [ObjectID], in c: ContextID) -> [ObjectID] {
    objects.map { lookup($0, in: c) ?? $0 }
  }

  /// Records the saved sets, which `finish` posts. §note-saved
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

  /// Writes pending metadata if `writesMetadata` is true. Posts the save request with the IDs of
  /// rows (SV-15, ID-35). §request-save
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

  /// Collects the changes of a commit. §collect-changes
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

  /// Decides whether an updated object is written. §written
  func isWritten(_ x: ObjectID, in c: ContextID) -> Bool {
    for (property, shape) in shapes[x.entity.index].properties.enumerated()
    where self[c, x].isReallyChanged(property, shape) || self[c, x].differsFromRow(shape) {
      return true
    }
    return false
  }

  /// Finishes a save. Calls didSave, posts the notifications, and announces merges. §finish
  private mutating func finish(_ c: ContextID) {
    let sets = contexts[c.index].saved.sets
    var called = sets.inserted
    for x in sets.updated { called.note(x) }
    for x in sets.deleted { called.note(x) }
    called.sort()
    for x in called {
      events.append(.hook(.didSave, c, x))
      followCode(.didSave, x, in: c)
    }
    let number = announce(sets, by: c, isOfStores: contexts[c.index].isRoot)
    events.append(.didSave(c, sets, number: number))
    // §finish.5 (NT-04)
    events.append(.didSaveObjectIDs(c, sets, number: number))
    events.append(.saved)
    for index in contexts.indices where mergesAutomatically(ContextID(index), after: c) {
      announce(AwaitedMerge(context: ContextID(index), number: number))
    }
  }

  /// Records that a context will merge a save automatically.
  mutating func announce(_ merge: AwaitedMerge) {
    awaitedMerges.append(merge)
    announcedMerges.append(merge)
  }

  /// Announces sets that contexts may merge later, and returns their number. §announce
  mutating func announce(_ sets: ChangeSets, by c: ContextID, isOfStores: Bool) -> Int {
    let root = contexts[c.index].chain.last ?? c
    if announcements.isEmpty { announcements.reserveCapacity(8) }
    announcements.append(Announcement(sets: sets, root: root, isOfStores: isOfStores))
    assert(contexts[root.index].isRoot, "\(root) is no root")
    return announcements.count - 1
  }

  /// Decides whether a context merges a save of `c` automatically. Children merge the saves of
  /// their parent (NT-22), and roots merge the saves of other roots (NT-23). §automatic-merges
  private func mergesAutomatically(_ target: ContextID, after c: ContextID) -> Bool {
    guard contexts[target.index].mergesAutomatically, target != c else { return false }
    if contexts[target.index].parent == c { return true }
    return contexts[c.index].isRoot && contexts[target.index].isRoot
      && contexts[c.index].coordinator == contexts[target.index].coordinator
  }
}
