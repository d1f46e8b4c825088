import ObjectModel
import Vocabulary

/// A conflict of a changed object. Its row, or its copy in the parent, has changed since the object
/// was loaded.
struct Conflict {
  enum Kind {
    case update, deletion
    /// An unchanged object, whose version is checked at the program's request (MP-06).
    case watched
  }

  var object: ObjectID
  var kind: Kind
  /// The present values above, with the IDs of the saving context. Nil if the object is gone.
  var theirs: Snapshot?
  var failure: Failure.Conflict
}

/// Optimistic locking and merge policies.
extension ReferenceStack {
  /// Watches an object: the next save checks its version (MP-06). §detect-conflicts
  mutating func detectConflicts(_ name: ObjectName, in c: ContextID) {
    guard let x = resolve(name, in: c), fireOrFail(x, in: c) else { return }
    guard !self[c, x].isInserted, !self[c, x].isRemoved else {
      events.append(.nothing)
      return
    }
    self[c, x].isWatched = true
  }

  /// Finds the conflicts of a commit. §find-conflicts
  mutating func conflicts(of commit: Commit, in c: ContextID) -> [Conflict] {
    let parent = contexts[c.index].parent
    // §find-conflicts.3
    if let parent, childSaveIgnoresMergePolicy {
      return childSaveChecksVersion ? versionConflicts(of: commit, in: c, with: parent) : []
    }
    var conflicts: [Conflict] = []
    var checked = commit.written
    if parent != nil {
      // §find-conflicts.4.1: a transient value is handed over without a conflict (SV-09).
      checked = []
      for x in commit.updated where handsOverStored(by: x, of: commit, in: c) { checked.append(x) }
    }
    checked += commit.deleted
    checked += commit.watched
    checked.sort()
    for x in checked {
      let conflict =
        if let parent {
          conflict(of: x, in: c, with: parent)
        } else {
          conflict(of: x, isWatched: commit.watched.contains(x), in: c)
        }
      if let conflict { conflicts.append(conflict) }
    }
    return conflicts
  }

  /// Returns true if a save of `x` hands over more than transient values. §find-conflicts.4.1
  private func handsOverStored(by x: ObjectID, of commit: Commit, in c: ContextID) -> Bool {
    propertiesHandedOver(by: x, of: commit, in: c).contains { !shape(of: $0, of: x).isTransient }
  }

  /// Compares an object with its row, by version (MP-02). §root-conflict
  private func conflict(of x: ObjectID, isWatched: Bool, in c: ContextID) -> Conflict? {
    let id = row(x)
    if hasRow(id), self[row: id].version == self[c, x].base.version { return nil }
    let kind: Conflict.Kind = isWatched ? .watched : self[c, x].isDeleted ? .deletion : .update
    let stored = hasRow(id) ? self[row: id] : nil
    // §root-conflict.3 (MP-17)
    if stored == nil, kind == .deletion { return nil }
    let base = self[c, x].base
    var failure = Failure.Conflict(
      object: x, oldVersion: base.version, newVersion: stored?.version ?? 0)
    // §root-conflict.6 and §root-conflict.7: the two snapshots that differ (MP-04, MP-05).
    let cached = rowCaches[contexts[c.index].coordinator.index][id]?.snapshot
    if let cached, cached.version != stored?.version {
      failure.cachedSnapshot = cached.values
      failure.persistedSnapshot = stored?.values
    } else {
      failure.objectSnapshot = base.values
      failure.cachedSnapshot = stored?.values
    }
    return Conflict(
      object: x, kind: kind, theirs: stored.map { localized($0, of: x.entity, in: c) },
      failure: failure)
  }

  /// Compares an object with the parent's copy, by value. §parent-conflict
  private mutating func conflict(
    of x: ObjectID, in c: ContextID, with parent: ContextID
  ) -> Conflict? {
    let isDeletion = self[c, x].isDeleted
    let theirs = reachLive(x, in: parent).map {
      localized(snapshot(of: $0, in: parent), of: x.entity, in: c)
    }
    if theirs == nil, isDeletion { return nil }
    if let theirs {
      let base = self[c, x].base
      let differs = shapes[x.entity.index].properties.contains {
        !$0.isToMany && !$0.isTransient && theirs.values[$0.slot] != base.values[$0.slot]
      }
      if !differs { return nil }
    }
    var failure = Failure.Conflict(object: x, oldVersion: 0, newVersion: 0)
    failure.objectSnapshot = self[c, x].base.values
    return Conflict(
      object: x, kind: isDeletion ? .deletion : .update, theirs: theirs, failure: failure)
  }

  /// Compares versions with a parent that has saved in the meantime. Does not check
  /// deletions. §version-conflict
  private mutating func versionConflicts(
    of commit: Commit, in c: ContextID, with parent: ContextID
  ) -> [Conflict] {
    var conflicts: [Conflict] = []
    for x in commit.updated {
      let base = self[c, x].base
      guard base.version != 0, handsOverStored(by: x, of: commit, in: c),
        let y = reachLive(x, in: parent), self[parent, y].base.version != base.version
      else { continue }
      let theirs = localized(snapshot(of: y, in: parent), of: x.entity, in: c)
      var failure = Failure.Conflict(
        object: x, oldVersion: base.version, newVersion: theirs.version)
      failure.objectSnapshot = base.values
      conflicts.append(Conflict(object: x, kind: .update, theirs: theirs, failure: failure))
    }
    return conflicts
  }

  // MARK: Merge policies

  /// Settles conflicts by the merge policy, and removes objects from `commit` that are not saved.
  /// §settle
  mutating func settle(_ conflicts: [Conflict], in commit: inout Commit, _ c: ContextID) {
    assert(conflicts.map(\.object).hasNoDuplicates, "an object is in conflict twice")
    var changed: [ObjectID] = []
    for conflict in conflicts where settle(conflict, in: &commit, c) {
      changed.append(conflict.object)
    }
    // §settle.3 (LC-07)
    for x in changed { events.append(.awakeFromSnapshot(c, x, .mergePolicy)) }
    // §settle.4: only conflicts with a store go through a policy object (MP-A10).
    guard contexts[c.index].isRoot else { return }
    for conflict in conflicts where commit.written.containsInOrder(conflict.object) {
      runActions(of: .resolveConflicts, on: conflict.object, in: c)
    }
  }

  /// Settles a conflict, and returns whether the object took a value from above. §settle-conflict
  private mutating func settle(
    _ conflict: Conflict, in commit: inout Commit, _ c: ContextID
  ) -> Bool {
    let x = conflict.object
    guard let theirs = conflict.theirs else {
      // §settle-conflict.1.1
      if conflict.kind == .update, bringsBackRow(of: x, c) {
        commit.recreated.append(x)
      } else {
        contexts[c.index].leave(x)
        commit.remove(x)
      }
      return false
    }
    let policy = contexts[c.index].mergePolicy
    precondition(policy != .error, "the error policy has failed the save")
    switch (conflict.kind, policy) {
    case (.deletion, .overwrite), (.deletion, .mergeByPropertyObjectTrump):
      return false
    case (.deletion, _):
      // §settle-conflict.3.2
      if deletionOverrulesUpdate { return false }
      take(theirs, as: x, in: &commit, c)
    case (.update, .overwrite):
      overwrite(theirs, by: x, in: &commit, c)
      return false
    case (.update, .mergeByPropertyObjectTrump):
      merge(theirs, with: x, oursFirst: true, in: &commit, c)
    case (.update, .mergeByPropertyStoreTrump):
      merge(theirs, with: x, oursFirst: false, in: &commit, c)
    case (.update, _), (.watched, _):
      take(theirs, as: x, in: &commit, c)
    }
    return true
  }

  /// Decides whether the merge policy re-creates a missing row (MP-19, X-06). An object that never
  /// had a row gets none. §brings-back-row
  func bringsBackRow(of x: ObjectID, _ c: ContextID) -> Bool {
    guard contexts[c.index].isRoot, !row(x).isTemporaryID else { return false }
    return switch contexts[c.index].mergePolicy {
    case .overwrite: true
    case .mergeByPropertyObjectTrump: objectTrumpRecreatesDeletedRow
    case .error, .mergeByPropertyStoreTrump, .rollback: false
    }
  }

  /// Overwrites the values above, even with unchanged values (MP-10). §overwrite
  private mutating func overwrite(
    _ theirs: Snapshot, by x: ObjectID, in commit: inout Commit, _ c: ContextID
  ) {
    for (property, shape) in shapes[x.entity.index].properties.enumerated()
    where !shape.isToMany && !shape.isTransient {
      self[c, x].base.values[shape.slot] = theirs.values[shape.slot]
      self[c, x].changed.insert(property)
    }
    commit.resolved.append(x)
  }

  /// Merges the values above with the object's values, property by property (MP-08, MP-09).
  /// §merge-by-property
  private mutating func merge(
    _ theirs: Snapshot, with x: ObjectID, oursFirst: Bool, in commit: inout Commit,
    _ c: ContextID
  ) {
    for shape in shapes[x.entity.index].properties where !shape.isToMany && !shape.isTransient {
      let base = self[c, x].base.values[shape.slot]
      let new = theirs.values[shape.slot]
      let isChangedHere = self[c, x].values[shape.slot] != base
      let isChangedThere = new != base
      if !isChangedHere || isChangedThere && !oursFirst {
        self[c, x].values[shape.slot] = new
      }
      self[c, x].base.values[shape.slot] = new
    }
    commit.resolved.append(x)
  }

  /// Takes the values above. `x` shows them and is not saved (MP-11, MP-22). §take-theirs
  mutating func take(
    _ theirs: Snapshot, as x: ObjectID, in commit: inout Commit, _ c: ContextID
  ) {
    show(theirs, as: x, unfired: shapes[x.entity.index].collectionSlots, in: c)
    self[c, x].isInaccessible = false
    commit.remove(x)
  }

  /// Shows a snapshot as `x`, which keeps its transient values and is clean. §show
  mutating func show(
    _ snapshot: Snapshot, as x: ObjectID, unfired: PropertySet, in c: ContextID
  ) {
    assert(fits(snapshot.values, snapshot.collections, x.entity), "\(x) is to be another entity")
    var snapshot = snapshot
    if !self[c, x].isFault {
      for slot in shapes[x.entity.index].transientSlots {
        snapshot.values[slot] = self[c, x].values[slot]
      }
    }
    self[c, x].realise(snapshot, unfired: unfired)
    self[c, x].forgetChanges()
    assert(!self[c, x].isPending, "\(x) shows what is stored and has changes")
  }
}
