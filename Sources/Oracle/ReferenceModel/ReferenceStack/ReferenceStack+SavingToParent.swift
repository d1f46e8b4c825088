import ObjectModel
import Vocabulary

/// The commit of a child, which affects only the next level up (SV-01).
extension ReferenceStack {
  /// Saves a commit to the parent. §save-to-parent
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
      // §save-to-parent.3.2: objects that the parent has deleted are skipped (X-13, inferred).
      guard !properties.isEmpty, let y = reachLive(x, in: parent) else { continue }
      handOver(properties, of: x, in: c, to: y, in: parent)
      for property in properties where shape(of: property, of: x).isOrdered {
        ordered.append((x, y, property))
      }
    }
    // §save-to-parent.4: sort once all members have been added.
    for (x, y, property) in ordered {
      let slot = shape(of: property, of: x).slot
      let order = self[c, x].collections[slot].map { localize($0, in: parent) }
      // The relationship may be unfired if no member joined or left.
      use(property, of: y, in: parent)
      self[parent, y].collections[slot] = sorted(
        self[parent, y].collections[slot], like: order)
    }

    for x in commit.deleted {
      // §save-to-parent.5.3: an object that exists only as an insertion in the parent is discarded
      // (CT-17).
      if let y = reachLive(x, in: parent) { markDeleted(y, in: parent) }
    }
    processPendingChanges(in: parent)

    // §save-to-parent.7: a save neither refreshes the child (SV-06) nor renames objects (ID-03).
    for x in changed { self[c, x].clean() }
    for x in commit.deleted { contexts[c.index].leave(x) }
  }

  /// Checks access to the parent. On old systems, a commit fails with the first update that finds
  /// no object above. §check-parent
  mutating func accessFailure(
    of commit: Commit, _ conflicts: [Conflict], in c: ContextID, toParent parent: ContextID
  ) -> Failure? {
    // §check-parent.1
    guard inaccessibleFaultRaises else { return nil }
    let settled = conflicts.map(\.object)
    for x in commit.updated
    where !settled.contains(x) && !propertiesHandedOver(by: x, of: commit, in: c).isEmpty {
      if reachLive(x, in: parent) == nil { return .inaccessible(x) }
    }
    return nil
  }

  /// Inserts an object of a child in the parent, as a separate instance with the same ID (ID-04).
  /// §insert-in-parent
  private mutating func insert(_ x: ObjectID, inParent parent: ContextID) {
    // A lookup may have left a fault, and a read may have left an inaccessible instance.
    let y = reach(x, in: parent)
    guard !self[parent, y].isRemoved || self[parent, y].isMissed else { return }
    assert(!self[parent, y].isInserted, "\(y) is inserted above already")
    needsCollection = true
    self[parent, y].isDeleted = false
    self[parent, y].isInaccessible = false
    self[parent, y].isUpdated = false
    self[parent, y].insert(showing: shapes[y.entity.index].defaults)
    // §insert-in-parent.6
    if parentAwakensInsertedObject { awaken(y, in: parent) }
  }

  /// Finds the properties of an object that a commit hands over. §properties-handed-over
  func propertiesHandedOver(
    by x: ObjectID, of commit: Commit, in c: ContextID
  ) -> [Int] {
    let instance = self[c, x]
    let isInsertedAgain = commit.insertedAgain.contains(x)
    let isResolved = commit.resolved.contains(x)
    var handedOver: [Int] = []
    for (property, shape) in shapes[x.entity.index].properties.enumerated()
    // §properties-handed-over.1.1 (ID-34)
    where isInsertedAgain && !shape.isToMany
      || isChangeHandedOver(property, shape, of: instance, isResolved: isResolved)
      // §properties-handed-over.1.2 (CT-06)
      || instance.differsFromRow(shape)
    {
      handedOver.append(property)
    }
    return handedOver
  }

  @inline(__always) private func isChangeHandedOver(
    _ property: Int, _ shape: PropertyShape, of instance: Instance, isResolved: Bool
  ) -> Bool {
    // §properties-handed-over.1.3
    if isResolved { return instance.isReallyChanged(property, shape) }
    // §properties-handed-over.1.5 (SV-08)
    return instance.changed.contains(property)
      && (instance.isInserted || !childSaveIgnoresEqualValues || instance.differsFromBase(shape))
  }

  /// Hands an object over to the parent. §hand-over
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

  /// Returns the properties and values that the parent receives. §hand-over.2
  private func received(
    _ properties: [Int], of x: ObjectID, in c: ContextID, byParent parent: ContextID
  ) -> [Received] {
    properties.map { property in
      Received(PropertyID(property), value(property, of: x, in: c, inParent: parent))
    }
  }

  /// Returns a value with the IDs of the parent, or nil for a to-many relationship. §hand-over.2
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

  /// Hands over a to-many relationship. §hand-over-collection
  private mutating func handOverCollection(
    _ property: Int, of x: ObjectID, in c: ContextID, to y: ObjectID, in parent: ContextID
  ) {
    let shape = shape(of: property, of: x)
    use(property, of: y, in: parent)
    // §hand-over-collection.2: a to-one inverse hands over the membership itself.
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
