import ObjectModel
import Vocabulary

/// A uniqueness constraint: properties whose values must differ in all rows of a family.
struct UniquenessConstraint: Sendable {
  /// The ancestor that declares the constraint first.
  var entity: EntityID
  var properties: [PropertyID]

  /// Returns the constraints, by entity and then in the order of declaration. §settle-uniqueness.1
  static func all(of model: ObjectModel) -> [UniquenessConstraint] {
    var result: [UniquenessConstraint] = []
    for (index, entity) in model.entities.enumerated() where !entity.uniquenessConstraints.isEmpty {
      let inherited = entity.parent.map { model[$0].uniquenessConstraints } ?? []
      for properties in entity.uniquenessConstraints where !inherited.contains(properties) {
        result.append(UniquenessConstraint(entity: EntityID(index), properties: properties))
      }
    }
    return result
  }
}

/// A row that wins against inserted objects with the same unique values.
struct Winner: HasObjectID, Sendable {
  var id: ObjectID
  /// The values that the row takes, by slot, or nil where the row keeps its value.
  var values: [Value?]
}

/// Uniqueness, which a root settles after optimistic locking (MP-23, MP-24).
extension ReferenceStack {
  /// The store and the values in which conflicting objects agree.
  private struct Key: Equatable {
    var store: StoreID?
    var values: [Value]
  }

  /// Settles uniqueness by the merge policy, or returns the failure of the save. §settle-uniqueness
  mutating func settleUniqueness(in commit: inout Commit, _ c: ContextID) -> Failure? {
    if uniquenessConstraints.isEmpty { return nil }
    let policy = contexts[c.index].mergePolicy
    if policy == .error {
      var found: [Failure.ConstraintConflict] = []
      for constraint in uniquenessConstraints {
        found += conflicts(over: constraint, of: commit, in: c)
      }
      return found.isEmpty ? nil : .constraintConflicts(found)
    }
    // §settle-uniqueness.4: an object that loses leaves the commit.
    var known: Int?
    while known != commit.inserted.count + commit.written.count {
      known = commit.inserted.count + commit.written.count
      for constraint in uniquenessConstraints {
        for conflict in conflicts(over: constraint, of: commit, in: c) {
          settle(conflict, over: constraint, in: &commit, c)
        }
      }
    }
    return nil
  }

  /// Finds the conflicts over a constraint. §find-constraint-conflicts
  private func conflicts(
    over constraint: UniquenessConstraint, of commit: Commit, in c: ContextID
  ) -> [Failure.ConstraintConflict] {
    var saved = (commit.inserted + commit.written).filter {
      model.entity($0.entity, inherits: constraint.entity)
    }
    saved.sort()
    var members: [(x: ObjectID, key: Key)] = []
    for x in saved {
      guard let values = uniqueValues(self[c, x].values, constraint) else { continue }
      members.append((x, Key(store: store(of: x, under: c), values: values)))
    }
    var conflicts: [Failure.ConstraintConflict] = []
    for (index, member) in members.enumerated()
    where !members[..<index].contains(where: { $0.key == member.key }) {
      let objects = members.filter { $0.key == member.key }.map(\.x)
      let row = otherRow(member.key, constraint, commit)
      guard objects.count > 1 || row != nil else { continue }
      conflicts.append(
        Failure.ConstraintConflict(
          entity: constraint.entity, constraint: constraint.properties, objects: objects,
          databaseObject: row))
    }
    return conflicts
  }

  /// Returns the values for a constraint. Returns nil if a value is null, because null never
  /// conflicts. §find-constraint-conflicts.2
  func uniqueValues(_ values: [Value], _ constraint: UniquenessConstraint) -> [Value]? {
    var result: [Value] = []
    for property in constraint.properties {
      let slot = shapes[constraint.entity.index].properties[property.index].slot
      if values[slot].isNull { return nil }
      result.append(values[slot].objectID.map { .object(row($0)) } ?? values[slot])
    }
    return result
  }

  /// Returns the first row with these values that `commit` neither writes nor deletes.
  /// §find-constraint-conflicts.4.1
  private func otherRow(
    _ key: Key, _ constraint: UniquenessConstraint, _ commit: Commit
  ) -> ObjectID? {
    guard let store = key.store else { return nil }
    let own = rows(commit.inserted + commit.written + commit.deleted)
    let rows = stores[store.index].rows
    for position in rows.indices
    where model.entity(rows[position].id.entity, inherits: constraint.entity) {
      var values = rows[position].snapshot.values
      if let taken = commit.winners[rows[position].id]?.values {
        values = zip(taken, values).map { $0 ?? $1 }
      }
      if uniqueValues(values, constraint) == key.values, !own.contains(rows[position].id) {
        return rows[position].id
      }
    }
    return nil
  }

  /// Settles a conflict over a constraint. §settle-constraint-conflict
  private mutating func settle(
    _ conflict: Failure.ConstraintConflict, over constraint: UniquenessConstraint,
    in commit: inout Commit, _ c: ContextID
  ) {
    let values = uniqueValues(self[c, conflict.objects[0]].values, constraint)
    let owner = conflict.objects.first { x in
      hasRow(row(x)) && uniqueValues(self[row: row(x)].values, constraint) == values
    }
    // §settle-constraint-conflict.1: permanent IDs come first in ID order.
    let winner = conflict.databaseObject ?? owner ?? conflict.objects[0]
    assert(conflict.objects.isStrictlyAscending, "a conflict names objects out of order")
    let policy = contexts[c.index].mergePolicy
    for x in conflict.objects where x != winner {
      let wasInserted = self[c, x].isInserted
      if wasInserted, let row = conflict.databaseObject,
        policy == .mergeByPropertyObjectTrump || policy == .overwrite
      {
        takeOver(x, by: row, in: &commit, c)
      }
      if !wasInserted, hasRow(row(x)) {
        take(localized(self[row: row(x)], of: x.entity, in: c), as: x, in: &commit, c)
      } else {
        // §settle-constraint-conflict.2.3 (MP-26)
        contexts[c.index].leave(x)
        commit.remove(x)
      }
    }
  }

  /// Copies all attributes of an inserted object to a row, including null (MP-25).
  /// §settle-constraint-conflict.2.1
  private mutating func takeOver(
    _ x: ObjectID, by id: ObjectID, in commit: inout Commit, _ c: ContextID
  ) {
    var winner =
      commit.winners[id] ?? Winner(id: id, values: self[row: id].values.map { _ in nil })
    for shape in shapes[commonAncestor(x.entity, id.entity).index].properties
    where !shape.isRelationship && !shape.isTransient {
      winner.values[shape.slot] = self[c, x].values[shape.slot]
    }
    commit.winners.put(winner)
  }

  /// Returns the entity from which both entities inherit.
  func commonAncestor(_ a: EntityID, _ b: EntityID) -> EntityID {
    var ancestor = a
    while !model.entity(b, inherits: ancestor) {
      guard let parent = model[ancestor].parent else {
        preconditionFailure("\(a) and \(b) are not of one family")
      }
      ancestor = parent
    }
    return ancestor
  }

  // MARK: Writing

  /// Writes the values that a winner takes. §write-to-stores.6
  mutating func writeWinner(_ winner: Winner, _ touched: inout [ObjectID]) {
    assert(hasRow(winner.id), "the row \(winner.id) won and is gone")
    self[row: winner.id].version += 1
    touched.append(winner.id)
    for (slot, value) in winner.values.enumerated() {
      if let value { self[row: winner.id].values[slot] = value }
    }
  }

  /// Updates the realised instances of winning rows. §write-to-stores.11
  mutating func showWinners(of commit: Commit, in c: ContextID) {
    for id in commit.winners.ids {
      guard let x = lookup(id, in: c), !self[c, x].isFault, !self[c, x].isRemoved else { continue }
      adoptRow(x, in: c)
    }
  }
}
