import ObjectModel
import Vocabulary

/// A child's commit: one level up and no further (SV-01).
extension ReferenceStack {
  mutating func write(_ commit: inout Commit, of c: ContextID, toParent parent: ContextID) {
    assert(contexts[c.index].parent == parent, "\(parent) is not the parent of \(c)")
    for x in commit.inserted {
      if let y = lookup(x, in: parent), self[parent, y].isInserted {
        commit.insertedAgain.append(x)
      } else {
        insert(x, inParent: parent)
      }
    }

    let changed = commit.inserted + commit.updated
    var ordered: [(x: ObjectID, y: ObjectID, property: Int)] = []
    for x in changed {
      let properties = propertiesHandedOver(by: x, of: commit, in: c)
      // what the parent has deleted is skipped, inferred.
      guard !properties.isEmpty, let y = reachLive(x, in: parent) else { continue }
      handOver(properties, of: x, in: c, to: y, in: parent)
      for property in properties where shape(of: property, of: x).isOrdered {
        ordered.append((x, y, property))
      }
    }
    // Once all members are in: the order that the user gave them.
    for (x, y, property) in ordered {
      let slot = shape(of: property, of: x).slot
      let order = self[c, x].collections[slot].map { localize($0, in: parent) }
      // Where no member joined or left, the relationship may be unfired.
      use(property, of: y, in: parent)
      self[parent, y].collections[slot] = sorted(
        self[parent, y].collections[slot], like: order)
    }

    for x in commit.deleted {
      // CT-17: what was only inserted in the parent is discarded there.
      if let y = reachLive(x, in: parent) { markDeleted(y, in: parent) }
    }
    processPendingChanges(in: parent)

    // SV-06: a child's save does not refresh the child. ID-03: nor does it rename anything.
    for x in changed { self[c, x].clean() }
    for x in commit.deleted { contexts[c.index].leave(x) }
  }

  /// why `commit` cannot be handed over on old systems: the first update that meets nothing
  /// above.
  mutating func accessFailure(
    of commit: Commit, _ conflicts: [Conflict], in c: ContextID, toParent parent: ContextID
  ) -> Failure? {
    guard inaccessibleFaultRaises else { return nil }
    let settled = conflicts.map(\.object)
    for x in commit.updated
    where !settled.contains(x) && !propertiesHandedOver(by: x, of: commit, in: c).isEmpty {
      if reachLive(x, in: parent) == nil { return .inaccessible(x) }
    }
    return nil
  }

  /// ID-04: the parent's instance is another one, under the same ID.
  private mutating func insert(_ x: ObjectID, inParent parent: ContextID) {
    // A look-up of the temporary ID may have left a fault there, or a read that found nothing.
    let y = reach(x, in: parent)
    guard !self[parent, y].isRemoved || self[parent, y].isMissed else { return }
    assert(!self[parent, y].isInserted, "\(y) is inserted above already")
    needsCollection = true
    self[parent, y].isDeleted = false
    self[parent, y].isInaccessible = false
    self[parent, y].isUpdated = false
    self[parent, y].insert(showing: shapes[y.entity.index].defaults)
    if parentAwakensInsertedObject { awaken(y, in: parent) }
  }

  func propertiesHandedOver(
    by x: ObjectID, of commit: Commit, in c: ContextID
  ) -> [Int] {
    let instance = self[c, x]
    let isInsertedAgain = commit.insertedAgain.contains(x)
    let isResolved = commit.resolved.contains(x)
    var handedOver: [Int] = []
    for (property, shape) in shapes[x.entity.index].properties.enumerated()
    // ID-34: as if it were handed over for the first time.
    where isInsertedAgain && !shape.isToMany
      || isChangeHandedOver(property, shape, of: instance, isResolved: isResolved)
      // CT-06: what was set behind the back of change tracking goes along.
      || instance.differsFromRow(shape)
    {
      handedOver.append(property)
    }
    return handedOver
  }

  @inline(__always) private func isChangeHandedOver(
    _ property: Int, _ shape: PropertyShape, of instance: Instance, isResolved: Bool
  ) -> Bool {
    if isResolved { return instance.isReallyChanged(property, shape) }
    // SV-08: what equals the child's own cache is left out.
    return instance.changed.contains(property)
      && (instance.isInserted || !childSaveIgnoresEqualValues || instance.differsFromBase(shape))
  }

  private mutating func handOver(
    _ properties: [Int], of x: ObjectID, in c: ContextID, to y: ObjectID, in parent: ContextID
  ) {
    let received = received(properties, of: x, in: c, byParent: parent)
    assert(!self[parent, y].isFault, "\(x) is handed over to a fault")
    assert(!self[parent, y].isRemoved, "\(x) is handed over to what is deleted")
    events.append(.receive(parent, y, received))
    for received in received {
      let property = received.property.index
      let shape = shape(of: property, of: x)
      guard let value = received.value else {
        handOverCollection(property, of: x, in: c, to: y, in: parent)
        continue
      }
      if shape.isRelationship {
        setOne(y, property, to: value.objectID, in: parent)
      } else {
        set(value, property, of: y, in: parent)
      }
    }
  }

  private func received(
    _ properties: [Int], of x: ObjectID, in c: ContextID, byParent parent: ContextID
  ) -> [Received] {
    properties.map { property in
      Received(PropertyID(property), value(property, of: x, in: c, inParent: parent))
    }
  }

  /// As it will be in the parent; nil for a to-many relationship.
  private func value(
    _ property: Int, of x: ObjectID, in c: ContextID, inParent parent: ContextID
  ) -> Value? {
    let shape = shape(of: property, of: x)
    if shape.isToMany { return nil }
    let value = self[c, x].values[shape.slot]
    guard let id = value.objectID else { return value }
    let isRemoved = lookup(id, in: parent).map { self[parent, $0].isRemoved } ?? false
    return isRemoved ? .null : .object(localize(id, in: parent))
  }

  private mutating func handOverCollection(
    _ property: Int, of x: ObjectID, in c: ContextID, to y: ObjectID, in parent: ContextID
  ) {
    let shape = shape(of: property, of: x)
    use(property, of: y, in: parent)
    // With a to-one inverse, the other side hands it over.
    if shape.inverse == nil || shape.inverseIsToMany {
      let old = self[c, x].isInserted ? [] : self[c, x].base.collections[shape.slot]
      let new = self[c, x].collections[shape.slot]
      for d in old where !new.contains(d) {
        remove(localize(d, in: parent), from: property, of: y, in: parent)
      }
      for d in new where !old.contains(d) {
        let member = localize(d, in: parent)
        if let there = lookup(member, in: parent), self[parent, there].isRemoved { continue }
        add(member, to: property, of: y, in: parent)
      }
    }
    track(property, of: y, in: parent)
  }
}
