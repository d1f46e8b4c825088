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

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

/// `save`, phase by phase.
extension ReferenceStack {
  mutating func save(_ phase: Phase, in c: ContextID) {
    switch phase {
    case .whole: preconditionFailure("a save comes in four phases")
    case .flush: processPendingChanges(in: c)
    case .willSave: willSave(c)
    case .commit: commit(c)
    case .finish: finish(c)
    }
  }

  private mutating func willSave(_ c: ContextID) {
    var round = contexts[c.index].instances.elements.filter { $0.isPending && !$0.isDiscarded }
      .map(\.id)
    while !round.isEmpty {
      var changed: [ObjectID] = []
      for x in round {
        events.append(.hook(.willSave, c, x))
        if runActions(of: .willSave, on: x, in: c) { changed.append(x) }
      }
      // LC-09: who changes itself in willSave is asked again.
      round = changed
    }
    processPendingChanges(in: c)
    events.append(.contextWillSave(c))
  }

  private mutating func commit(_ c: ContextID) {
    processPendingChanges(in: c)
    var commit = changes(of: c)
    contexts[c.index].saved = SavedSets()
    for x in commit.inserted { _ = fire(x, in: c) }
    if commit.isEmpty { return }

    if let failure = firstFailure(of: commit, in: c) {
      events.append(.failed(failure))
      return
    }
    let conflicts = conflicts(of: commit, in: c)
    if !conflicts.isEmpty, contexts[c.index].mergePolicy == .error {
      events.append(.failed(.mergeConflicts(conflicts.map(\.failure))))
      return
    }
    for conflict in conflicts { resolve(conflict, in: &commit, c) }

    var saved: SavedSets
    if let parent = contexts[c.index].parent {
      saved = SavedSets(
        inserted: commit.inserted, updated: commit.updated, deleted: commit.deleted)
      write(commit, of: c, toParent: parent)
    } else {
      let affected = contextsAffected(first: [c])
      for x in commit.inserted where x.isTemporaryID {
        becomePermanent(x, under: c, in: affected)
      }
      commit.inserted = commit.inserted.map { lookup($0, in: c) ?? $0 }.sorted()
      saved = SavedSets(
        inserted: commit.inserted, updated: commit.updated, deleted: commit.deleted)
      writeToStore(commit, of: c)
    }
    contexts[c.index].saved = saved
  }

  private func changes(of c: ContextID) -> Commit {
    var commit = Commit()
    for instance in contexts[c.index].instances.elements {
      if instance.isInserted {
        commit.inserted.append(instance.id)
      } else if instance.isUpdated {
        commit.updated.append(instance.id)
        if isWritten(instance) { commit.written.append(instance.id) }
      } else if instance.isDeleted {
        commit.deleted.append(instance.id)
      }
    }
    return commit
  }

  private func isWritten(_ instance: Instance) -> Bool {
    shapes[instance.id.entity.index].properties.indices.contains {
      isReallyChanged($0, of: instance)
    }
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
    }
    let number = didSaves.count
    didSaves.append(sets)
    events.append(.didSave(c, sets, number: number))
    events.append(.saved)
    for target in stack.contextIDs where mergesAutomatically(target, after: c) {
      awaitedMerges.append(AwaitedMerge(context: target, number: number))
    }
  }

  /// NT-22: children follow their parent's saves. NT-23: roots follow each other.
  private func mergesAutomatically(_ target: ContextID, after c: ContextID) -> Bool {
    guard stack[target].automaticallyMergesChangesFromParent, target != c else { return false }
    if contexts[target.index].parent == c { return true }
    return contexts[c.index].isRoot && contexts[target.index].isRoot
      && contexts[c.index].coordinator == contexts[target.index].coordinator
  }
}
