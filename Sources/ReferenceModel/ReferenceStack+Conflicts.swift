import ObjectModel
import Vocabulary

/// A changed object whose row, or whose parent's copy, is not as it was loaded.
struct Conflict {
  var object: ObjectID
  var isDeletion: Bool
  /// What is there now, in the IDs of the saving context; nil if it is gone.
  var theirs: Snapshot?
  var failure: Failure.Conflict
}

/// Optimistic locking and merge policies.
extension ReferenceStack {
  mutating func conflicts(of commit: Commit, in c: ContextID) -> [Conflict] {
    let parent = contexts[c.index].parent
    if parent != nil, childSaveIgnoresMergePolicy { return [] }
    var conflicts: [Conflict] = []
    let updated =
      parent == nil
      ? commit.written
      : commit.updated.filter { x in
        // SV-09: a transient value is handed over, but nobody conflicts about it.
        propertiesHandedOver(by: x, of: commit, in: c).contains {
          !shape(of: $0, of: x).isTransient
        }
      }
    for x in (updated + commit.deleted).sorted() {
      let conflict =
        if let parent { conflict(of: x, in: c, with: parent) } else { conflict(of: x, in: c) }
      if let conflict { conflicts.append(conflict) }
    }
    return conflicts
  }

  /// With the store: by version (MP-02).
  private func conflict(of x: ObjectID, in c: ContextID) -> Conflict? {
    let isDeletion = self[c, x].isDeleted
    let id = row(x)
    let theirs = hasRow(id) ? localized(self[row: id], of: x.entity, in: c) : nil
    // MP-17: to delete what is deleted is no conflict.
    if theirs == nil, isDeletion { return nil }
    let version = self[c, x].base.version
    if let theirs, theirs.version == version { return nil }
    return Conflict(
      object: x, isDeletion: isDeletion, theirs: theirs,
      failure: Failure.Conflict(
        object: x, oldVersion: version, newVersion: theirs?.version ?? 0))
  }

  /// With the parent, which has no versions: by value.
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
    return Conflict(
      object: x, isDeletion: isDeletion, theirs: theirs,
      failure: Failure.Conflict(object: x, oldVersion: 0, newVersion: 0))
  }

  /// Does what the merge policy says, and takes out of `commit` what is not saved.
  mutating func resolve(_ conflict: Conflict, in commit: inout Commit, _ c: ContextID) {
    let x = conflict.object
    let policy = contexts[c.index].mergePolicy
    guard let theirs = conflict.theirs else {
      // What never had a row has none to come back to.
      if policy == .overwrite, contexts[c.index].isRoot, !row(x).isTemporaryID {
        commit.recreated.append(x)
      } else {
        contexts[c.index].leave(x)
        commit.updated.removeAll { $0 == x }
        commit.written.removeAll { $0 == x }
      }
      return
    }
    switch policy {
    case .error: preconditionFailure("the error policy has failed the save")
    case .overwrite:
      if !conflict.isDeletion { overwrite(theirs, by: x, in: &commit, c) }
    case .mergeByPropertyObjectTrump:
      if !conflict.isDeletion { merge(theirs, with: x, oursFirst: true, in: &commit, c) }
    case .mergeByPropertyStoreTrump:
      if conflict.isDeletion {
        take(theirs, as: x, in: &commit, c)
      } else {
        merge(theirs, with: x, oursFirst: false, in: &commit, c)
      }
    case .rollback:
      take(theirs, as: x, in: &commit, c)
    }
  }

  /// MP-10: ours replaces theirs, also where we changed nothing.
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

  /// MP-08, MP-09: property by property.
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

  /// MP-11, MP-22: x shows what is there, and is not saved.
  private mutating func take(
    _ theirs: Snapshot, as x: ObjectID, in commit: inout Commit, _ c: ContextID
  ) {
    var snapshot = theirs
    for slot in shapes[x.entity.index].transientSlots {
      snapshot.values[slot] = self[c, x].values[slot]
    }
    self[c, x].realise(snapshot)
    self[c, x].clean()
    commit.updated.removeAll { $0 == x }
    commit.written.removeAll { $0 == x }
    commit.deleted.removeAll { $0 == x }
  }
}
