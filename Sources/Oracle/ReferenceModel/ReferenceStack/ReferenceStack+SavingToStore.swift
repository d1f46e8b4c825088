import ObjectModel
import Vocabulary

/// The commit of a root, which writes rows.
extension ReferenceStack {
  func hasRow(_ id: ObjectID) -> Bool {
    guard let store = id.store else { return false }
    return stores[store.index].rows.contains(id)
  }

  /// The snapshot of a row. The row must exist.
  subscript(row id: ObjectID) -> Snapshot {
    _read { yield stores[storeIndex(of: id)].rows[existing: id].snapshot }
    _modify { yield &stores[storeIndex(of: id)].rows[existing: id].snapshot }
  }

  private func storeIndex(of id: ObjectID) -> Int {
    guard let store = id.store else { preconditionFailure("\(id) names no row") }
    return store.index
  }

  /// Writes a commit to the stores. §write-to-stores
  mutating func writeToStore(_ commit: Commit, of c: ContextID) {
    let written = commit.inserted + commit.written
    assert(contexts[c.index].isRoot, "a child writes to a store")
    assert(written.hasNoDuplicates, "an object is written twice")
    let ids = rows(written)
    var touched = ids
    // §write-to-stores.2: read the snapshots before any row is written.
    let theirs = storedSnapshots(of: written)
    for x in written { writeRow(x, in: c) }
    for (x, theirs) in zip(written, theirs) {
      writeRelationships(
        of: x, against: theirs, isNew: commit.makesRow(of: x),
        isWhole: isWrittenAsAWhole(x, of: commit, in: c), in: c, &touched)
    }
    for winner in commit.winners { writeWinner(winner, &touched) }
    for x in written { orderRow(x, isNew: commit.makesRow(of: x), in: c) }
    deleteRows(rows(commit.deleted), &touched)
    updateRowCache(touched, written: ids.sorted(), commit.winners, of: c)

    for x in written { adoptRow(x, in: c) }
    showWinners(of: commit, in: c)
    // §write-to-stores.12
    for x in commit.updated where !commit.written.containsInOrder(x) { self[c, x].clean() }
    for x in commit.deleted { contexts[c.index].leave(x) }
  }

  /// Returns true if the row takes all relationships from memory, even those to missing rows
  /// (MP-10, MP-19). §write-relationships.2
  private func isWrittenAsAWhole(_ x: ObjectID, of commit: Commit, in c: ContextID) -> Bool {
    commit.recreated.contains(x)
      || contexts[c.index].mergePolicy == .overwrite && commit.resolved.contains(x)
  }

  /// Returns the stored snapshots of objects, or the defaults for objects without a row.
  private func storedSnapshots(of objects: [ObjectID]) -> [Snapshot] {
    objects.map { x in hasRow(row(x)) ? self[row: row(x)] : shapes[x.entity.index].defaults }
  }

  /// Writes the attributes of a row. Relationships follow when all rows exist. §write-row
  private mutating func writeRow(_ x: ObjectID, in c: ContextID) {
    let id = row(x)
    assert(!id.isTemporaryID, "\(x) is written without a permanent ID")
    var snapshot: Snapshot
    if hasRow(id) {
      snapshot = self[row: id]
      snapshot.version += 1
    } else {
      snapshot = shapes[x.entity.index].defaults
      // §write-row.3: a re-created row continues from the last seen version (MP-19).
      snapshot.version = self[c, x].isInserted ? 1 : self[c, x].base.version + 1
    }
    let shown = self[c, x].values
    for property in shapes[x.entity.index].properties where !property.isRelationship {
      snapshot.values[property.slot] =
        property.isTransient
        ? shapes[x.entity.index].defaults.values[property.slot] : shown[property.slot]
    }
    assert(!self[c, x].isFault, "the fault \(x) is written")
    assert(snapshot.version >= 1, "the row \(id) gets version \(snapshot.version)")
    stores[storeIndex(of: id)].rows.put(Row(id: id, snapshot: snapshot))
  }

  /// Writes the relationships of a row. §write-relationships
  private mutating func writeRelationships(
    of x: ObjectID, against theirs: Snapshot, isNew: Bool, isWhole: Bool, in c: ContextID,
    _ touched: inout [ObjectID]
  ) {
    let id = row(x)
    for (property, shape) in shapes[x.entity.index].relationships {
      if !shape.isToMany {
        let old = theirs.values[shape.slot].objectID
        var d = destinationRow(shape, of: x, in: c)
        if d == old { continue }
        // §write-relationships.3.1.3: all new rows exist now.
        if let lost = d, !hasRow(lost), !isWhole || lost.isTemporaryID { d = nil }
        if d != old { setOneRow(id, property, to: d, &touched) }
      } else if shape.inverse != nil, !shape.inverseIsToMany {
        // §write-relationships.3.2: the inverse decides the members.
        if isNew, !self[c, x].isInserted { rejoinRows(pointingTo: id, property) }
      } else {
        let slot = shape.slot
        let old = isNew ? [] : inRows(self[c, x].base.collections[slot], slot, of: x.entity)
        let new = inRows(self[c, x].collections[slot], slot, of: x.entity)
        for d in old where !new.contains(d) {
          self[row: id].collections[slot].removeAll { $0 == d }
          guard let inverse = shape.inverse, hasRow(d) else { continue }
          takeOutOfRow(id, from: inverse, of: d, &touched)
        }
        for d in new where !old.contains(d) && hasRow(d) {
          joinRow(d, to: property, of: id, &touched)
          guard let inverse = shape.inverse else { continue }
          joinRow(id, to: inverse, of: d, &touched)
        }
      }
    }
  }

  /// Returns the row to which a to-one relationship leads.
  private func destinationRow(
    _ shape: PropertyShape, of x: ObjectID, in c: ContextID
  ) -> ObjectID? {
    self[c, x].values[shape.slot].objectID.map { row($0) }
  }

  /// Sets a to-one relationship of a row and its inverse. Destinations without a row are skipped.
  /// §set-row-to-one
  mutating func setOneRow(
    _ x: ObjectID, _ property: Int, to d: ObjectID?, _ touched: inout [ObjectID]
  ) {
    let shape = shape(of: property, of: x)
    assert(shape.isRelationship && !shape.isToMany, "property \(property) has no destination")
    assert(d.map { !$0.isTemporaryID } ?? true, "the row \(x) is to lead to a temporary ID")
    if let inverse = shape.inverse {
      if let o = self[row: x].values[shape.slot].objectID, o != d, hasRow(o) {
        takeOutOfRow(x, from: inverse, of: o, &touched)
      }
      if let d, self[row: x].values[shape.slot].objectID != d, hasRow(d) {
        if shape.inverseIsToMany {
          joinRow(x, to: inverse, of: d, &touched)
        } else {
          let slot = self.shape(of: inverse, of: d).slot
          if let q = self[row: d].values[slot].objectID, q != x, hasRow(q) {
            self[row: q].values[self.shape(of: property, of: q).slot] = .null
            touched.append(q)
          }
          self[row: d].values[slot] = .object(x)
          touched.append(d)
        }
      }
    }
    self[row: x].values[shape.slot] = d.map { .object($0) } ?? .null
    touched.append(x)
  }

  /// Removes a row from a relationship of another row. §take-out-of-row
  private mutating func takeOutOfRow(
    _ x: ObjectID, from property: Int, of o: ObjectID, _ touched: inout [ObjectID]
  ) {
    let shape = shape(of: property, of: o)
    if shape.isToMany {
      self[row: o].collections[shape.slot].removeAll { $0 == x }
    } else if self[row: o].values[shape.slot].objectID == x {
      self[row: o].values[shape.slot] = .null
    }
    touched.append(o)
  }

  /// Adds a member to a to-many relationship of a row.
  private mutating func joinRow(
    _ d: ObjectID, to property: Int, of x: ObjectID, _ touched: inout [ObjectID]
  ) {
    let shape = shape(of: property, of: x)
    assert(shape.isToMany, "property \(property) of \(x) has no members")
    self[row: x].collections[shape.slot].include(d, isOrdered: shape.isOrdered)
    touched.append(x)
  }

  /// Restores the members of a re-created row: the rows that still lead to it.
  /// §write-relationships.3.2.1
  private mutating func rejoinRows(pointingTo id: ObjectID, _ property: Int) {
    guard
      let relationship = model.entities[id.entity.index].properties[property].relationship,
      let inverse = relationship.inverse
    else { return }
    self[row: id].collections[shape(of: property, of: id).slot] =
      rows(of: relationship.destination, leadingTo: id, by: inverse.index)
  }

  private func rows(
    of entity: EntityID, leadingTo id: ObjectID, by property: Int
  ) -> [ObjectID] {
    stores[storeIndex(of: id)].rows.ids { row in
      model.entity(row.id.entity, inherits: entity)
        && row.snapshot.values[shape(of: property, of: row.id).slot].objectID == id
    }
  }

  /// Orders the members of a row as the object shows them, once all members have been added. The
  /// stored places outlive the row. §order-row
  private mutating func orderRow(_ x: ObjectID, isNew: Bool, in c: ContextID) {
    let id = row(x)
    for (property, shape) in shapes[x.entity.index].relationships
    where shape.isOrdered && (isNew || self[c, x].isReallyChanged(property, shape)) {
      self[row: id].collections[shape.slot] = sorted(
        self[row: id].collections[shape.slot], like: rows(self[c, x].collections[shape.slot]))
    }
  }

  /// Deletes rows. To-one relationships to these rows stay dangling (RL-09). §delete-rows
  mutating func deleteRows(_ deleted: [ObjectID], _ touched: inout [ObjectID]) {
    if deleted.isEmpty { return }
    for id in deleted {
      guard let store = id.store else { continue }
      stores[store.index].rows.remove(id)
      assert(!hasRow(id), "the row \(id) was not deleted")
    }
    touched += deleted
    for id in rows(withMembersAmong: deleted) {
      for slot in self[row: id].collections.indices {
        self[row: id].collections[slot].removeAll { deleted.contains($0) }
      }
      touched.append(id)
    }
  }

  private func rows(withMembersAmong deleted: [ObjectID]) -> [ObjectID] {
    guard deleted.contains(where: { shapes[$0.entity.index].isMember }) else { return [] }
    var found: [ObjectID] = []
    for store in stores.indices where deleted.contains(where: { $0.store?.index == store }) {
      found += stores[store].rows.ids { row in
        row.snapshot.collections.contains { $0.contains { deleted.contains($0) } }
      }
    }
    return found
  }

  /// Updates the row cache after a commit. §update-row-cache
  private mutating func updateRowCache(
    _ touched: [ObjectID], written: [ObjectID], _ winners: IDTable<Winner>, of c: ContextID
  ) {
    let coordinator = contexts[c.index].coordinator
    for id in touched {
      if !hasRow(id) {
        rowCaches[coordinator.index].remove(id)
      } else if rowCaches[coordinator.index].contains(id) || written.containsInOrder(id)
        || winners.contains(id)
      {
        cache(Row(id: id, snapshot: self[row: id]), under: coordinator)
      }
    }
  }

  /// Updates an object from its row. Unfired relationships stay unfired, and transient values stay.
  /// §write-to-stores.10
  mutating func adoptRow(_ x: ObjectID, in c: ContextID) {
    // As in `writeRelationships`.
    let row = self[row: row(x)]
    let unfired = self[c, x].unfired
    show(localized(row, of: x.entity, in: c), as: x, unfired: unfired, in: c)
  }
}
