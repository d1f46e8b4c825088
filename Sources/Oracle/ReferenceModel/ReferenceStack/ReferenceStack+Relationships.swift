import ObjectModel
import Vocabulary

/// Maintains both sides of a relationship within a context (RL-01, CT-16).
extension ReferenceStack {
  /// Sets a to-one relationship of a realised instance. §set-one
  mutating func setOne(_ x: ObjectID, _ property: Int, to d: ObjectID?, in c: ContextID) {
    let shape = shape(of: property, of: x)
    assert(shape.isRelationship && !shape.isToMany, "property \(property) has no destination")
    assert(!self[c, x].isFault, "a relationship of the fault \(x) is set")
    if let inverse = shape.inverse {
      if let o = self[c, x].values[shape.slot].objectID, o != d,
        let old = reachLive(o, in: c)
      {
        takeOut(x, from: inverse, of: old, in: c)
      }
      if let d, self[c, x].values[shape.slot].objectID != d, let new = reachLive(d, in: c) {
        if shape.inverseIsToMany {
          join(x, to: inverse, of: new, in: c)
          track(inverse, of: new, in: c)
        } else {
          setInverseToOne(inverse, of: new, to: x, property, in: c)
        }
      }
    }
    set(d.map { .object($0) } ?? .null, property, of: x, in: c)
  }

  /// Makes `x` the owner of `d` instead of the present owner. §set-inverse
  private mutating func setInverseToOne(
    _ inverse: Int, of d: ObjectID, to x: ObjectID, _ property: Int, in c: ContextID
  ) {
    let slot = shape(of: inverse, of: d).slot
    if let q = self[c, d].values[slot].objectID, q != x, let owner = reachLive(q, in: c) {
      set(.null, property, of: owner, in: c)
    }
    set(.object(x), inverse, of: d, in: c)
  }

  /// Adds a member. The inverse of a member that is doomed, or cannot be loaded, stays unchanged.
  /// §add-member
  mutating func add(_ d: ObjectID, to property: Int, of x: ObjectID, in c: ContextID) {
    let shape = shape(of: property, of: x)
    use(property, of: x, in: c)
    guard !self[c, x].collections[shape.slot].contains(d) else {
      track(property, of: x, in: c)
      return
    }
    if let inverse = shape.inverse, let live = reachLive(d, in: c) {
      if shape.inverseIsToMany {
        join(d, to: property, of: x, in: c)
        join(x, to: inverse, of: live, in: c)
        track(inverse, of: live, in: c)
      } else {
        setOne(live, inverse, to: x, in: c)
      }
    }
    // §add-member.5
    join(d, to: property, of: x, in: c)
    track(property, of: x, in: c)
  }

  /// Removes a member. The inverse of a member that is doomed, or cannot be loaded, stays
  /// unchanged. §remove-member
  mutating func remove(_ d: ObjectID, from property: Int, of x: ObjectID, in c: ContextID) {
    let shape = shape(of: property, of: x)
    use(property, of: x, in: c)
    guard self[c, x].collections[shape.slot].contains(d) else {
      track(property, of: x, in: c)
      return
    }
    if let inverse = shape.inverse, let live = reachLive(d, in: c) {
      if shape.inverseIsToMany {
        leave(d, from: property, of: x, in: c)
        leave(x, from: inverse, of: live, in: c)
        track(inverse, of: live, in: c)
      } else {
        setOne(live, inverse, to: nil, in: c)
      }
    }
    leave(d, from: property, of: x, in: c)
    track(property, of: x, in: c)
  }

  /// Replaces the members of a relationship. Former members lose their inverse and are never
  /// deleted (RL-13). §replace-members
  mutating func replace(
    _ property: Int, of x: ObjectID, with list: [ObjectID], in c: ContextID
  ) {
    let shape = shape(of: property, of: x)
    assert(list.hasNoDuplicates, "a relationship is to have a member twice")
    use(property, of: x, in: c)
    for d in self[c, x].collections[shape.slot] where !list.contains(d) {
      remove(d, from: property, of: x, in: c)
    }
    for d in list where !self[c, x].collections[shape.slot].contains(d) {
      add(d, to: property, of: x, in: c)
    }
    if shape.isOrdered {
      self[c, x].beginEvent()
      self[c, x].collections[shape.slot] = sorted(self[c, x].collections[shape.slot], like: list)
    }
    track(property, of: x, in: c)
  }

  /// Removes `x` from a relationship of `o`. This is a change of `o` if the relationship contained
  /// `x`. §take-out
  mutating func takeOut(_ x: ObjectID, from property: Int, of o: ObjectID, in c: ContextID) {
    let shape = shape(of: property, of: o)
    if shape.isToMany {
      use(property, of: o, in: c)
      guard self[c, o].collections[shape.slot].contains(x) else { return }
      leave(x, from: property, of: o, in: c)
      track(property, of: o, in: c)
    } else if self[c, o].values[shape.slot].objectID == x {
      set(.null, property, of: o, in: c)
    }
  }

  /// Removes doomed members from changed relationships before a save (RL-15). §repair
  mutating func repairCollections(in c: ContextID) {
    contexts[c.index].updateLists()
    guard hasRemoved(c) else { return }
    let changed = pending(in: c) { instance in
      (instance.isInserted || instance.isUpdated) && !instance.changed.isEmpty
    }
    for x in changed {
      for (property, shape) in shapes[x.entity.index].relationships
      where shape.isToMany && self[c, x].changed.contains(property) {
        let deleted = gone(self[c, x].collections[shape.slot], in: c)
        if deleted.isEmpty { continue }
        for d in deleted { leave(d, from: property, of: x, in: c) }
        track(property, of: x, in: c)
      }
    }
  }

  private func hasRemoved(_ c: ContextID) -> Bool {
    for x in contexts[c.index].lists.pending where self[c, x].isRemoved { return true }
    return false
  }

  private func gone(_ members: [ObjectID], in c: ContextID) -> [ObjectID] {
    members.filter { !isAlive($0, in: c) }
  }

  /// Adds `d` to a to-many relationship of `x`. §join
  private mutating func join(_ d: ObjectID, to property: Int, of x: ObjectID, in c: ContextID) {
    let shape = shape(of: property, of: x)
    use(property, of: x, in: c)
    self[c, x].join(d, in: shape.slot, isOrdered: shape.isOrdered)
  }

  /// Removes `d` from a to-many relationship of `x`, without changing the inverse.
  private mutating func leave(
    _ d: ObjectID, from property: Int, of x: ObjectID, in c: ContextID
  ) {
    let slot = shape(of: property, of: x).slot
    use(property, of: x, in: c)
    self[c, x].part(from: d, in: slot)
  }

  /// Reorders the members of `collection` like `list`. Members missing from the list come last.
  /// §reorder
  func sorted(_ collection: [ObjectID], like list: [ObjectID]) -> [ObjectID] {
    var sorted: [ObjectID] = []
    // Two instances of one row in a child (ID-17) are one member.
    for id in list where collection.contains(id) && !sorted.contains(id) { sorted.append(id) }
    sorted += collection.filter { !list.contains($0) }
    assert(sorted.count == collection.count, "\(collection.count) members became \(sorted.count)")
    return sorted
  }
}
