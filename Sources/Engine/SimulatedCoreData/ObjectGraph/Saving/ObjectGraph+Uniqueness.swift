import ObjectModel
import Vocabulary

/// A uniqueness constraint, and the entity that declares it for itself and its subentities.
struct UniquenessConstraint: Hashable {
  var entity: EntityID
  var properties: [PropertyID]

  /// Returns all constraints, each with the ancestor that declares it first. §settle-uniqueness.1
  static func all(in model: ObjectModel) -> [UniquenessConstraint] {
    var all: [UniquenessConstraint] = []
    // Most entities have no constraints.
    for index in model.entities.indices where !model.entities[index].uniquenessConstraints.isEmpty {
      let inherited = model.entities[index].parent.map { model[$0].uniquenessConstraints } ?? []
      for properties in model.entities[index].uniquenessConstraints
      where !inherited.contains(properties) {
        all.append(UniquenessConstraint(entity: EntityID(index), properties: properties))
      }
    }
    return all
  }
}

extension MergePolicy {
  /// A Boolean value that indicates whether an insertion overwrites the row that has its unique
  /// values (MP-25, FE-28).
  var prefersInsertions: Bool { self == .mergeByPropertyObjectTrump || self == .overwrite }
}

/// Uniqueness in a root's save, after optimistic locking. Under the error policy, all constraints
/// are checked at once. Otherwise they are checked one after another (MP-23, MP-24).
extension ObjectGraph {
  /// Objects of a save, and possibly a row, with equal values for a constraint.
  private struct Clash {
    var key: [Value]
    var store: StoreID
    /// The slots of the objects, in the order of their IDs.
    var members: [Int]
    var row: ObjectID?
  }

  /// Settles uniqueness. Returns the rows that took values of insertions. §settle-uniqueness
  mutating func settleUniqueness(
    _ changes: inout Changes, in context: ContextID
  ) throws(StepFailure) -> [ObjectID] {
    if constraints.isEmpty || bugs.contains(.ignoresUniqueness) { return [] }
    let policy = contexts[context.index].mergePolicy
    guard policy != .error else {
      try refuseClashes(of: changes, in: context)
      return []
    }
    var winners: [ObjectID] = []
    var hasFound = true
    // §settle-uniqueness.4: each pass removes an object from the changes.
    while hasFound {
      hasFound = false
      for constraint in constraints {
        for clash in clashes(over: constraint, among: changes, in: context) {
          hasFound = !bugs.contains(.duplicateStays)
          let winner = settle(clash, over: constraint, by: policy, &changes, in: context)
          if let winner, !winners.contains(winner) {
            winners.append(winner)
            // Increment once, regardless of the number of constraints that the row wins.
            if let store = winner.store {
              _ = stores[store.index].modify(winner) { $0.version += 1 }
            }
          }
        }
      }
    }
    assert(winners.hasNoDuplicates, "a row wins twice")
    return winners
  }

  /// Throws an error if constraints are in conflict. §settle-uniqueness.2
  private mutating func refuseClashes(
    of changes: Changes, in context: ContextID
  ) throws(StepFailure) {
    let conflicts = constraintConflicts(of: changes, in: context)
    guard !conflicts.isEmpty else { return }
    marks.insert(.constraintConflict)
    throw StepFailure(failure: .constraintConflicts(conflicts))
  }

  private func constraintConflicts(
    of changes: Changes, in context: ContextID
  ) -> [Failure.ConstraintConflict] {
    var conflicts: [Failure.ConstraintConflict] = []
    for constraint in constraints {
      for clash in clashes(over: constraint, among: changes, in: context) {
        conflicts.append(
          Failure.ConstraintConflict(
            entity: constraint.entity, constraint: constraint.properties,
            objects: clash.members.map { contexts[context.index].id(of: $0) },
            databaseObject: clash.row))
      }
    }
    return conflicts
  }

  /// Finds the conflicts over a constraint. §find-constraint-conflicts
  private func clashes(
    over constraint: UniquenessConstraint, among changes: Changes, in context: ContextID
  ) -> [Clash] {
    let c = context.index
    var written: [Int] = []
    for change in changes.all
    where change.isKept && concerns(constraint, contexts[c].id(of: change.slot))
      && (change.isResolved || contexts[c].isWritten(change.slot, by: setting))
    {
      written.append(change.slot)
    }
    written = contexts[c].sorted(written)
    var clashes: [Clash] = []
    for slot in written {
      guard let key = key(of: contexts[c].objects[slot].current.values, constraint),
        let store = store(of: contexts[c].id(of: slot), for: context)
      else { continue }
      if let index = clashes.firstIndex(where: { $0.key == key && $0.store == store }) {
        clashes[index].members.append(slot)
      } else {
        clashes.append(Clash(key: key, store: store, members: [slot]))
      }
    }
    if clashes.isEmpty { return [] }
    let deleted = changes.all.filter { $0.kind == .deleted }.map(\.slot)
    let own = (written + deleted).map { rowID(ofSlot: $0, in: context) }
    for index in clashes.indices {
      clashes[index].row = stores[clashes[index].store.index].ids.first { id in
        guard concerns(constraint, id), !own.contains(id),
          let row = storedRow(id)
        else { return false }
        return key(of: row.values, constraint) == clashes[index].key
      }
    }
    return clashes.filter { $0.members.count + ($0.row == nil ? 0 : 1) > 1 }
  }

  func concerns(_ constraint: UniquenessConstraint, _ id: ObjectID) -> Bool {
    model.entity(id.entity, inherits: constraint.entity)
  }

  /// Returns a Boolean value that indicates whether stored values are those of a key. Makes no key,
  /// because a batch insertion compares many rows.
  func has(_ key: [Value], _ values: [Value], _ constraint: UniquenessConstraint) -> Bool {
    zip(key, constraint.properties).allSatisfy { wanted, property in
      let value = values[shapes[constraint.entity.index][property.index].slot]
      return value == wanted || value.objectID.map { .object(row(of: $0)) == wanted } ?? false
    }
  }

  /// Returns the values for a constraint, or `nil` if one of them is null.
  /// §find-constraint-conflicts.2
  func key(of values: [Value], _ constraint: UniquenessConstraint) -> [Value]? {
    var key: [Value] = []
    for property in constraint.properties {
      let value = values[shapes[constraint.entity.index][property.index].slot]
      if value.isNull, !bugs.contains(.missingValuesClash) { return nil }
      if let id = value.objectID { key.append(.object(row(of: id))) } else { key.append(value) }
    }
    return key
  }

  /// Returns the stored values of an instance for a constraint.
  private func storedKey(
    ofSlot slot: Int, _ constraint: UniquenessConstraint, in context: ContextID
  ) -> [Value]? {
    storedRow(rowID(ofSlot: slot, in: context)).flatMap { key(of: $0.values, constraint) }
  }

  /// Settles a conflict over a constraint. Returns the row if it took values of the losers.
  /// §settle-constraint-conflict
  private mutating func settle(
    _ clash: Clash, over constraint: UniquenessConstraint, by policy: MergePolicy,
    _ changes: inout Changes, in context: ContextID
  ) -> ObjectID? {
    let objects = contexts[context.index].objects
    assert(!clash.members.isEmpty, "a row is in conflict with no object")
    let present = clash.members.filter { changes.index(of: $0) != nil }
    var losers = present
    if clash.row == nil {
      let winner =
        present.first { storedKey(ofSlot: $0, constraint, in: context) == clash.key }
        ?? present.first { !objects[$0].id.isTemporaryID } ?? present.first
      losers.removeAll { $0 == winner }
    }
    let inserted = losers.filter { slot in
      changes.all.contains { $0.slot == slot && $0.kind == .inserted }
    }
    var winner: ObjectID?
    // Write the row at once, because this save can no longer fail.
    if policy.prefersInsertions, let row = clash.row, !inserted.isEmpty {
      marks.insert(.constraintRowUpdated)
      for slot in inserted {
        let entity = objects[slot].id.entity
        let given = model[entity].propertyIDs.filter { property in
          objects[slot].changed.contains(property.index)
            || objects[slot].isPrimitivelyChanged(
              shapes[entity.index][property.index], by: setting)
        }
        // A further insertion overwrites values of this save.
        overwriteRow(
          row, with: objects[slot].current.values, of: entity, from: context,
          given: slot == inserted[0] ? given : nil)
      }
      winner = row
    }
    for slot in losers { resolveLoser(slot, &changes, in: context) }
    return winner
  }

  /// Copies all attributes that a row shares with an insertion to the row, even if they were not
  /// set (MP-25). §settle-constraint-conflict.2.1.2
  ///
  /// - Parameter given: The attributes for which the insertion has values of its own, or `nil` for
  ///   all. Any other value that the row loses is a lost update, unless the context has an instance
  ///   of the row with this value.
  mutating func overwriteRow(
    _ id: ObjectID, with values: [Value], of entity: EntityID, from context: ContextID,
    given: [PropertyID]?
  ) {
    guard let store = id.store else { return }
    var shared = entity
    assert(stores[store.index].contains(id), "values are written to the row \(id), which is gone")
    while !model.entity(id.entity, inherits: shared), let parent = model[shared].parent {
      shared = parent
    }
    let copy = inspect(id, in: context)
    for (index, shape) in shapes[shared.index].enumerated()
    where shape.kind == .attribute && !shape.isTransient {
      let new = values[shape.slot]
      guard let old = storedRow(id)?.values[shape.slot], old != new else { continue }
      _ = stores[store.index].modify(id) { $0.values[shape.slot] = new }
      let property = PropertyID(index)
      let change = Evidence.Change(context: context, object: id, property: property, parent: nil)
      result.evidence.append(.tookOver(change, old: old, new: new))
      let isSeen =
        copy.map { !$0.view.isFault && $0.baseValue(of: property, in: self) == old } ?? false
      if given?.contains(property) == false, !old.isNull, !isSeen {
        result.evidence.append(.overwrote(change, base: new, replaced: old, new: new))
      }
    }
  }

  /// Gives up an object for the winner. The object takes the values of its row, or leaves its
  /// context. §settle-constraint-conflict.2.2
  private mutating func resolveLoser(_ slot: Int, _ changes: inout Changes, in context: ContextID) {
    let id = contexts[context.index].id(of: slot)
    guard let index = changes.index(of: slot) else {
      preconditionFailure("\(id) is given up and was not to be saved")
    }
    let stored = storedRow(row(of: id))
    let isInserted = changes[index].kind == .inserted
    if isInserted, bugs.contains(.duplicateStays) { return }
    changes[index].kind = nil
    guard !isInserted, let stored else {
      marks.insert(.duplicateLeft)
      result.evidence.append(.leftOut(context, object: id))
      unregister(slot, in: context)
      return
    }
    marks.insert(.duplicateUpdateDropped)
    contexts[context.index].becomeClean(
      slot, showing: contents(of: stored, in: context), by: setting)
  }

  /// Updates the instance of a row that took values. §write-to-stores.11
  mutating func showWinner(_ id: ObjectID, in context: ContextID) {
    assert(storedRow(id) != nil, "the row \(id) won and is gone")
    guard let slot = lookup(id, in: context), !contexts[context.index].isFault(slot),
      !contexts[context.index].isPendingDeletion(slot)
    else { return }
    showRow(of: slot, in: context)
    contexts[context.index].becomeClean(slot, by: setting)
  }
}
