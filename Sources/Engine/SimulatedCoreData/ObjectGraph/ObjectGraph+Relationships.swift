import ObjectModel
import Vocabulary

/// Relationships within one context. Both sides change together (RL-01).
extension ObjectGraph {
  /// Sets a to-one relationship, and the inverses at its old and its new destination. §set-one
  mutating func setDestination(
    _ destination: ObjectID?, of property: PropertyID, _ slot: Int, in context: ContextID
  ) {
    let c = context.index
    let id = contexts[c].id(of: slot)
    let shape = shapes[id.entity.index][property.index]
    assert(shape.kind == .toOne, "property \(property.index) of \(id) has no destination")
    assert(!contexts[c].isFault(slot), "a relationship of a fault is set")
    let old = contexts[c].objects[slot].current.values[shape.slot].objectID
    if shape.hasInverse, old != destination {
      if let old, !bugs.contains(.leavesOldInverse) {
        detach(id, from: old, inverseOf: shape, in: context)
      }
      if let destination, !bugs.contains(.skipsInverse) {
        attach(id, property, to: destination, inverseOf: shape, in: context)
      }
    }
    contexts[c].startEvent(slot)
    contexts[c].objects[slot].current.values[shape.slot] = destination.map { .object($0) } ?? .null
    contexts[c].track(property.index, of: slot, by: setting)
  }

  /// Removes `id` from the inverse at its old destination `other`. §set-one.1.1
  private mutating func detach(
    _ id: ObjectID, from other: ObjectID, inverseOf shape: PropertyShape, in context: ContextID
  ) {
    assert(shape.hasInverse, "the relationship to \(other) has no inverse")
    let c = context.index
    let slot = instance(other, in: context)
    guard !contexts[c].isPendingDeletion(slot), fireQuietly(slot, in: context) else {
      return
    }
    removeInverse(of: id, at: slot, shape, in: context)
  }

  /// Removes `id` from the inverse of `shape` at an instance. Tracks the change if the inverse
  /// contained `id`. §take-out
  mutating func removeInverse(
    of id: ObjectID, at slot: Int, _ shape: PropertyShape, in context: ContextID
  ) {
    let c = context.index
    assert(shape.hasInverse, "a relationship to \(id) has no inverse")
    assert(!contexts[c].isFault(slot), "an inverse of a fault is changed")
    let back = shapes[contexts[c].id(of: slot).entity.index][shape.inverse]
    if back.kind == .toMany {
      use(shape.inverse, of: slot, in: context)
      let members = contexts[c].objects[slot].current.collections[back.slot]
      guard let member = members.firstIndex(of: id) else { return }
      contexts[c].startEvent(slot)
      contexts[c].objects[slot].current.collections[back.slot].remove(at: member)
    } else {
      guard contexts[c].objects[slot].current.values[back.slot] == .object(id) else { return }
      contexts[c].startEvent(slot)
      contexts[c].objects[slot].current.values[back.slot] = .null
    }
    contexts[c].track(shape.inverse, of: slot, by: setting)
  }

  /// Adds `id` to the inverse at its new destination (§set-one.1.2). If the inverse is to-one,
  /// makes `id` the owner of the destination (§set-inverse).
  private mutating func attach(
    _ id: ObjectID, _ property: PropertyID, to other: ObjectID, inverseOf shape: PropertyShape,
    in context: ContextID
  ) {
    let c = context.index
    let slot = instance(other, in: context)
    guard fireQuietly(slot, in: context) else { return }
    assert(shape.hasInverse, "the relationship to \(other) has no inverse")
    let back = shapes[contexts[c].id(of: slot).entity.index][shape.inverse]
    if back.kind == .toMany {
      insert(id, into: shape.inverse, of: slot, in: context)
    } else {
      if let owner = contexts[c].objects[slot].current.values[back.slot].objectID, owner != id,
        !bugs.contains(.formerOwnerKeepsDestination)
      {
        let ownerSlot = instance(owner, in: context)
        if !contexts[c].isPendingDeletion(ownerSlot), fireQuietly(ownerSlot, in: context) {
          let forward = shapes[owner.entity.index][property.index]
          contexts[c].startEvent(ownerSlot)
          contexts[c].objects[ownerSlot].current.values[forward.slot] = .null
          contexts[c].track(property.index, of: ownerSlot, by: setting)
        }
      }
      contexts[c].startEvent(slot)
      contexts[c].objects[slot].current.values[back.slot] = .object(id)
    }
    contexts[c].track(shape.inverse, of: slot, by: setting)
  }

  /// Inserts `id` into a collection without it, in the order of IDs, or last if ordered. §join.3
  static func insert(_ id: ObjectID, into collection: inout [ObjectID], ordered: Bool) {
    guard !collection.contains(id) else { return }
    if ordered {
      collection.append(id)
    } else {
      collection.insert(id, at: collection.firstIndex { id < $0 } ?? collection.count)
      assert(collection.isStrictlyAscending, "a collection is not sorted around \(id)")
    }
  }

  /// Inserts `id` into a to-many relationship, without changing the inverse. §join
  private mutating func insert(
    _ id: ObjectID, into property: Int, of slot: Int, in context: ContextID
  ) {
    use(property, of: slot, in: context)
    let shape = shapes[contexts[context.index].id(of: slot).entity.index][property]
    contexts[context.index].startEvent(slot)
    ObjectGraph.insert(
      id, into: &contexts[context.index].objects[slot].current.collections[shape.slot],
      ordered: shape.isOrdered)
  }

  /// Adds a member to a to-many relationship, and sets the inverse. §add-member
  mutating func add(
    _ destination: ObjectID, to property: PropertyID, of slot: Int, in context: ContextID
  ) {
    let c = context.index
    let id = contexts[c].id(of: slot)
    let shape = shapes[id.entity.index][property.index]
    assert(shape.kind == .toMany, "property \(property.index) of \(id) has no members")
    assert(!contexts[c].isFault(slot), "a relationship of a fault is changed")
    use(property.index, of: slot, in: context)
    func contains() -> Bool {
      contexts[c].objects[slot].current.collections[shape.slot].contains(destination)
    }
    guard !contains() else { return contexts[c].track(property.index, of: slot, by: setting) }
    // §add-member.3
    if let other = lookup(destination, in: context), contexts[c].isPendingDeletion(other) {
      insert(destination, into: property.index, of: slot, in: context)
      return contexts[c].track(property.index, of: slot, by: setting)
    }
    if shape.hasInverse, !shape.inverseIsToMany {
      let other = instance(destination, in: context)
      if fireQuietly(other, in: context) {
        setDestination(id, of: PropertyID(shape.inverse), other, in: context)
      }
    }
    insert(destination, into: property.index, of: slot, in: context)
    contexts[c].track(property.index, of: slot, by: setting)
    if shape.hasInverse, shape.inverseIsToMany {
      let other = instance(destination, in: context)
      guard fireQuietly(other, in: context) else { return }
      insert(id, into: shape.inverse, of: other, in: context)
      contexts[c].track(shape.inverse, of: other, by: setting)
    }
  }

  /// Removes a member from a to-many relationship, on both sides. §remove-member
  mutating func remove(
    _ destination: ObjectID, from property: PropertyID, of slot: Int, in context: ContextID
  ) {
    let c = context.index
    let id = contexts[c].id(of: slot)
    let shape = shapes[id.entity.index][property.index]
    assert(shape.kind == .toMany, "property \(property.index) of \(id) has no members")
    assert(!contexts[c].isFault(slot), "a relationship of a fault is changed")
    use(property.index, of: slot, in: context)
    guard contexts[c].objects[slot].current.collections[shape.slot].contains(destination) else {
      return contexts[c].track(property.index, of: slot, by: setting)
    }
    if shape.hasInverse, !shape.inverseIsToMany {
      let other = instance(destination, in: context)
      if !contexts[c].isPendingDeletion(other), fireQuietly(other, in: context) {
        setDestination(nil, of: PropertyID(shape.inverse), other, in: context)
      }
    }
    if let member = contexts[c].objects[slot].current.collections[shape.slot]
      .firstIndex(of: destination)
    {
      contexts[c].startEvent(slot)
      contexts[c].objects[slot].current.collections[shape.slot].remove(at: member)
    }
    contexts[c].track(property.index, of: slot, by: setting)
    if shape.hasInverse, shape.inverseIsToMany {
      let other = instance(destination, in: context)
      guard !contexts[c].isPendingDeletion(other), fireQuietly(other, in: context) else {
        return
      }
      removeInverse(of: id, at: other, shape, in: context)
      // §remove-member.6.3
      contexts[c].track(shape.inverse, of: other, by: setting)
    }
  }

  /// Replaces the members of a to-many relationship. For old members, only the inverse changes
  /// (RL-13). §replace-members
  mutating func replace(
    _ property: PropertyID, of slot: Int, with destinations: [ObjectID], in context: ContextID
  ) {
    let c = context.index
    let shape = shapes[contexts[c].id(of: slot).entity.index][property.index]
    assert(shape.kind == .toMany, "property \(property.index) has no members")
    assert(destinations.hasNoDuplicates, "a relationship is to have a member twice")
    use(property.index, of: slot, in: context)
    let present = contexts[c].objects[slot].current.collections[shape.slot]
    for member in present where !destinations.contains(member) {
      remove(member, from: property, of: slot, in: context)
    }
    for member in destinations where !present.contains(member) {
      add(member, to: property, of: slot, in: context)
    }
    if shape.isOrdered { contexts[c].reorder(property, of: slot, like: destinations, by: setting) }
    contexts[c].track(property.index, of: slot, by: setting)
  }

  /// Reorders members by their first places in `model`, unknown members last. §reorder
  ///
  /// A child's two instances of one row are a single object in this context.
  static func ordered(_ members: [ObjectID], like model: [ObjectID]) -> [ObjectID] {
    let places = members.map { model.firstIndex(of: $0) ?? model.count }
    return members.indices.sorted { (places[$0], $0) < (places[$1], $1) }.map { members[$0] }
  }
}
