import ObjectModel
import Vocabulary

/// The rows of a root's save. Values are written first, then relationships on both sides, then
/// orders.
extension ObjectGraph {
  /// Writes the values of a row, and its version. §write-row
  mutating func writeValues(of slot: Int, isNew: Bool, from context: ContextID) {
    let c = context.index
    let id = rowID(ofSlot: slot, in: context)
    guard let store = id.store else { preconditionFailure("a row needs a permanent ID") }
    assert(isAttached(store, for: context), "\(id) is written to a store that is not attached")
    assert(!contexts[c].isFault(slot), "the fault \(id) is written")
    assert(isNew != stores[store.index].contains(id), "\(id) is new and exists, or neither")
    var values = contexts[c].objects[slot].current.values
    dropTransients(in: &values, of: id.entity)
    // The second pass writes relationships, which keeps both sides consistent.
    for shape in shapes[id.entity.index] where shape.kind == .toOne {
      values[shape.slot] = stores[store.index][id]?.values[shape.slot] ?? .null
    }
    if isNew {
      let isInsertion = contexts[c].has(.inserted, slot)
      stores[store.index][id] = Row(
        id: id, version: isInsertion ? 1 : contexts[c].version(of: slot) + 1, values: values,
        collections: setting.emptyCollections[id.entity.index])
    } else {
      let countsVersions = !bugs.contains(.forgetsVersionBump)
      _ = stores[store.index].modify(id) {
        $0.values = values
        if countsVersions { $0.version += 1 }
      }
    }
  }

  /// Writes the relationships that the object changes compared with `theirs`, the row before this
  /// save. §write-relationships
  ///
  /// - Parameter isWhole: Whether to write references as they are in memory, even to missing rows.
  mutating func writeRelationships(
    of slot: Int, against theirs: Row?, isWhole: Bool, touched: inout [ObjectID],
    from context: ContextID
  ) {
    let entity = contexts[context.index].id(of: slot).entity.index
    if !notesWrites, !hasRelationships[entity] { return }
    let object = contexts[context.index].objects[slot]
    let id = row(of: object.id)
    assert(storedRow(id) != nil, "relationships of the row \(id) are written before it")
    if notesWrites { noteWrites(of: object, over: theirs, isWhole: isWhole, from: context) }
    for (index, shape) in shapes[id.entity.index].enumerated() where shape.isRelationship {
      if shape.kind == .toOne {
        let old = theirs?.values[shape.slot].objectID
        let new = rowOfDestination(
          object.current.values[shape.slot], insteadOf: old, isWhole: isWhole)
        if new != old {
          setRowDestination(new, of: index, id, touched: &touched)
        }
      } else if shape.hasInverse, !shape.inverseIsToMany {
        // §write-relationships.3.2: the inverse writes the members, except of a re-created row.
        if theirs == nil, !object.flags.contains(.inserted) { collectReferrers(of: id, shape) }
      } else {
        let isNew = theirs == nil || object.flags.contains(.inserted)
        writeDelta(of: object, shape, isNew: isNew, touched: &touched)
      }
    }
  }

  /// Returns the row to which a stored to-one relationship leads instead of `old`.
  ///
  /// After all rows are written, the relationship does not lead to an object without a row.
  /// Dangling references stay unchanged (RL-09), and an object that is written whole keeps its
  /// references (MP-19). §write-relationships.3.1
  func rowOfDestination(_ value: Value, insteadOf old: ObjectID?, isWhole: Bool) -> ObjectID? {
    guard let id = value.objectID else { return nil }
    let row = row(of: id)
    if row == old || isWhole && !row.isTemporaryID { return row }
    return storedRow(row) == nil ? nil : row
  }

  /// Orders the members of a row. §order-row
  mutating func writeOrder(of slot: Int, isNew: Bool, from context: ContextID) {
    let entity = contexts[context.index].id(of: slot).entity.index
    if !hasRelationships[entity] { return }
    let object = contexts[context.index].objects[slot]
    let id = row(of: object.id)
    guard let store = id.store else { return }
    let isNew = isNew || object.flags.contains(.inserted)
    for (index, shape) in shapes[id.entity.index].enumerated()
    where shape.isOrdered && (isNew || object.isReallyChanged(index, by: setting)) {
      let model = object.current.collections[shape.slot].map { row(of: $0) }
      guard let members = stores[store.index][id]?.collections[shape.slot] else { continue }
      let ordered = ObjectGraph.ordered(members, like: model)
      if ordered == members { continue }
      marks.insert(.orderWritten)
      _ = stores[store.index].modify(id) { $0.collections[shape.slot] = ordered }
    }
  }

  /// Sets a row's to-one relationship and both inverses, as `setDestination` does for instances.
  /// §set-row-to-one
  private mutating func setRowDestination(
    _ new: ObjectID?, of property: Int, _ id: ObjectID, touched: inout [ObjectID]
  ) {
    let shape = shapes[id.entity.index][property]
    assert(shape.kind == .toOne, "property \(property) of \(id) has no destination")
    assert(new.map { !$0.isTemporaryID } ?? true, "the row \(id) is to lead to a temporary ID")
    if shape.hasInverse {
      if let old = storedRow(id)?.values[shape.slot].objectID {
        // §take-out-of-row
        changeInverse(of: shape, at: old, touched: &touched) { back, row in
          if back.kind == .toMany {
            row.collections[back.slot].removeAll { $0 == id }
          } else if row.values[back.slot] == .object(id) {
            row.values[back.slot] = .null
          }
        }
      }
      if let new {
        let back = shapes[new.entity.index][shape.inverse]
        if back.kind == .toOne, let owner = storedRow(new)?.values[back.slot].objectID,
          owner != id, let store = owner.store, stores[store.index].contains(owner)
        {
          let forward = shapes[owner.entity.index][property]
          _ = stores[store.index].modify(owner) { $0.values[forward.slot] = .null }
          touched.append(owner)
        }
        changeInverse(of: shape, at: new, touched: &touched) { back, row in
          if back.kind == .toMany {
            ObjectGraph.insert(id, into: &row.collections[back.slot], ordered: back.isOrdered)
          } else {
            row.values[back.slot] = .object(id)
          }
        }
      }
    }
    guard let store = id.store else { return }
    _ = stores[store.index].modify(id) {
      $0.values[shape.slot] = new.map { .object($0) } ?? .null
    }
  }

  /// Changes the row at the other end of a relationship, and adds it to `touched`.
  private mutating func changeInverse(
    of shape: PropertyShape, at id: ObjectID, touched: inout [ObjectID],
    _ body: (PropertyShape, inout Row) -> Void
  ) {
    guard let store = id.store, var row = stores[store.index][id] else { return }
    assert(shape.hasInverse, "the relationship to \(id) has no inverse")
    body(shapes[id.entity.index][shape.inverse], &row)
    stores[store.index][id] = row
    touched.append(id)
    assert(row.id == id, "the row \(id) has changed its ID")
  }

  /// Writes the added and removed members, under every policy (MP-14). §write-relationships.3.3
  private mutating func writeDelta(
    of object: ManagedObject, _ shape: PropertyShape, isNew: Bool, touched: inout [ObjectID]
  ) {
    let id = row(of: object.id)
    guard let store = id.store else { return }
    let base = isNew ? [] : object.base.collections[shape.slot].map { row(of: $0) }
    let current = object.current.collections[shape.slot].map { row(of: $0) }
    assert(current.hasNoDuplicates, "a relationship of \(id) has a member twice")
    for member in base where !current.contains(member) {
      _ = stores[store.index].modify(id) { $0.collections[shape.slot].removeAll { $0 == member } }
      guard shape.hasInverse else { continue }
      changeInverse(of: shape, at: member, touched: &touched) { back, row in
        row.collections[back.slot].removeAll { $0 == id }
      }
    }
    for member in current where !base.contains(member) {
      guard let memberStore = member.store, stores[memberStore.index].contains(member) else {
        continue
      }
      guard var row = stores[store.index][id] else { continue }
      ObjectGraph.insert(member, into: &row.collections[shape.slot], ordered: shape.isOrdered)
      stores[store.index][id] = row
      guard shape.hasInverse else { continue }
      changeInverse(of: shape, at: member, touched: &touched) { back, row in
        ObjectGraph.insert(id, into: &row.collections[back.slot], ordered: back.isOrdered)
      }
    }
  }

  /// Adds the rows that still lead to a re-created row to its relationship.
  /// §write-relationships.3.2.1
  private mutating func collectReferrers(of id: ObjectID, _ shape: PropertyShape) {
    guard let store = id.store else { return }
    assert(shape.hasInverse, "a relationship of \(id) has no inverse")
    let referrers = stores[store.index].ids.filter { candidate in
      model.entity(candidate.entity, inherits: shape.destination)
        && storedRow(candidate)?.values[
          shapes[candidate.entity.index][shape.inverse].slot] == .object(id)
    }
    _ = stores[store.index].modify(id) { $0.collections[shape.slot] = referrers }
  }

  /// Deletes rows, and removes them from all collections. To-one relationships stay dangling
  /// (RL-09). §delete-rows
  mutating func deleteRows(_ deleted: [ObjectID], touched: inout [ObjectID]) {
    guard !deleted.isEmpty else { return }
    for id in deleted {
      if let store = id.store { stores[store.index][id] = nil }
    }
    guard deleted.contains(where: { isCollected[$0.entity.index] }) else { return }
    var changed: [ObjectID] = []
    for store in stores.indices {
      stores[store].changeEach { row in
        var isChanged = false
        for slot in row.collections.indices
        where row.collections[slot].contains(where: deleted.contains) {
          row.collections[slot].removeAll(where: deleted.contains)
          changed.append(row.id)
          isChanged = true
        }
        return isChanged
      }
    }
    touched += changed
  }
}
