import ObjectModel
import Vocabulary

/// What one commit is about: all by ID, none twice.
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
    (inserted + updated + deleted).hasNoDuplicates && written.hasNoDuplicates
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
    var round: [ObjectID] = []
    for position in contexts[c.index].instances.elements.indices
    where contexts[c.index].instances.elements[position].isPending
      && !contexts[c.index].instances.elements[position].isDiscarded
    {
      round.append(contexts[c.index].instances.elements[position].id)
    }
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
        for instance in contexts[c.index].instances.elements
        where instance.isPending && !instance.isDiscarded && !told.contains(instance.id) {
          changed.append(instance.id)
        }
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
    var commit = changes(of: c)
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
      write(commit, of: c, toParent: parent)
    } else {
      if let failure = settleUniqueness(in: &commit, c) {
        events.append(.failed(failure))
        return
      }
      let affected = contextsAffected(first: [c])
      becomePermanent(commit.inserted.filter(\.isTemporaryID), under: c, in: affected)
      commit.inserted = registered(commit.inserted, in: c).sorted()
      note(commit, of: c)
      writeToStore(commit, of: c)
      request(commit, of: c, writesMetadata: true)
    }
    contexts[c.index].instances.changeEach(where: \.isWatched) { $0.isWatched = false }
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
    contexts[c.index].saved = saved
  }

  /// SV-15, ID-35: what a root's save asks its coordinator to write, permanent IDs in place.
  private mutating func request(_ commit: Commit, of c: ContextID, writesMetadata: Bool) {
    let coordinator = contexts[c.index].coordinator
    assert(contexts[c.index].isRoot, "a child saves to a store")
    if writesMetadata { writeMetadata(of: coordinator) }
    var sets = ChangeSets()
    sets.inserted = rows(commit.inserted).sorted()
    sets.updated = (rows(commit.written) + commit.winners.ids).sorted()
    sets.deleted = rows(commit.deleted).sorted()
    events.append(.saveRequest(coordinator, sets))
  }

  private func changes(of c: ContextID) -> Commit {
    var commit = Commit()
    for position in contexts[c.index].instances.elements.indices {
      // In place: most have no changes, and a copy costs more than to know that.
      if !contexts[c.index].instances.elements[position].isPending,
        !contexts[c.index].instances.elements[position].isWatched
      {
        continue
      }
      let instance = contexts[c.index].instances.elements[position]
      if instance.isInserted {
        commit.inserted.append(instance.id)
      } else if instance.isUpdated {
        commit.updated.append(instance.id)
        if isWritten(instance) { commit.written.append(instance.id) }
      } else if instance.isDeleted {
        commit.deleted.append(instance.id)
      }
      if instance.isWatched, contexts[c.index].isRoot, !instance.isInserted, !instance.isDeleted,
        !instance.isFault, commit.written.last != instance.id
      {
        commit.watched.append(instance.id)
      }
    }
    return commit
  }

  func isWritten(_ instance: Instance) -> Bool {
    for property in shapes[instance.id.entity.index].properties.indices {
      if isReallyChanged(property, of: instance) || differsFromRow(property, of: instance) {
        return true
      }
    }
    return false
  }

  /// A stored attribute that is not what was loaded, however it was set (CT-06).
  func differsFromRow(_ property: Int, of instance: Instance) -> Bool {
    let shape = shapes[instance.id.entity.index].properties[property]
    return !shape.isRelationship && !shape.isTransient && differsFromBase(shape, of: instance)
  }

  /// Set, persistent, and different from what was loaded (CT-02).
  func isReallyChanged(_ property: Int, of instance: Instance) -> Bool {
    let shape = shapes[instance.id.entity.index].properties[property]
    return instance.changed.contains(property) && !shape.isTransient
      && differsFromBase(shape, of: instance)
  }

  func differsFromBase(_ shape: PropertyShape, of instance: Instance) -> Bool {
    shape.isToMany
      ? instance.collections[shape.slot] != instance.base.collections[shape.slot]
      : instance.values[shape.slot] != instance.base.values[shape.slot]
  }

  private mutating func finish(_ c: ContextID) {
    var sets = ChangeSets()
    sets.inserted = contexts[c.index].saved.inserted.sorted()
    sets.updated = contexts[c.index].saved.updated.sorted()
    sets.deleted = contexts[c.index].saved.deleted.sorted()
    for x in (sets.inserted + sets.updated + sets.deleted).sorted() {
      events.append(.hook(.didSave, c, x))
      followCode(.didSave, x, in: c)
    }
    let number = announce(sets, by: c, isOfStores: contexts[c.index].isRoot)
    events.append(.didSave(c, sets, number: number))
    // NT-04.
    events.append(.didSaveObjectIDs(c, sets, number: number))
    events.append(.saved)
    for index in contexts.indices where mergesAutomatically(ContextID(index), after: c) {
      awaitedMerges.append(AwaitedMerge(context: ContextID(index), number: number))
    }
  }

  /// Keeps what contexts may merge later; answers its number.
  mutating func announce(_ sets: ChangeSets, by c: ContextID, isOfStores: Bool) -> Int {
    let root = contexts[c.index].chain.last ?? c
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
