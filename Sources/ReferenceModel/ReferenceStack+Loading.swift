import ObjectModel
import Vocabulary

/// Where values come from when a context has none.
extension ReferenceStack {
  /// What the level above shows of `id`, in the IDs of `c`; nil if it is missing.
  mutating func load(_ id: ObjectID, in c: ContextID) -> Snapshot? {
    // ID-15: a leftover temporary ID means nothing to another branch.
    if rowHasTwoInstances, forward(id) != nil,
      !contexts[births[id.number - 1].context].chain.contains(c)
    {
      return nil
    }
    guard let parent = contexts[c.index].parent else {
      return loadRow(row(id), under: contexts[c.index].coordinator).map {
        localized($0, of: id.entity, in: c)
      }
    }
    let y = reach(id, in: parent)
    if self[parent, y].isRemoved { return nil }
    if self[parent, y].isFault {
      guard fire(y, in: parent) else { return nil }
    } else if !ancestorCacheHidesUpdates, !self[parent, y].isInserted {
      guard let newer = load(y, in: parent) else { return nil }
      rebase(y, on: newer, in: parent)
    }
    return localized(snapshot(of: y, in: parent), of: id.entity, in: c)
  }

  /// What `parent` hands down of a realised instance: transient values stay there (PC-A14).
  func snapshot(of y: ObjectID, in parent: ContextID) -> Snapshot {
    let instance = self[parent, y]
    var values = instance.values
    let shape = shapes[y.entity.index]
    for slot in shape.transientSlots { values[slot] = shape.defaults.values[slot] }
    return Snapshot(
      values: values, collections: instance.collections, version: instance.base.version)
  }

  /// The row cache goes before the store, however old it is (FL-05).
  private mutating func loadRow(
    _ id: ObjectID, under coordinator: CoordinatorID
  ) -> Snapshot? {
    if let row = rowCaches[coordinator.index][id] { return row.snapshot }
    guard let store = id.store, stack.coordinators[coordinator.index].stores.contains(store),
      let row = stores[store.index].rows[id]
    else { return nil }
    cache(row, under: coordinator)
    return row.snapshot
  }

  mutating func cache(_ row: Row, under coordinator: CoordinatorID) {
    needsCollection = true
    rowCaches[coordinator.index].put(row)
  }

  /// Fires quietly: false if the fault stays one, because its row is missing.
  mutating func fire(_ x: ObjectID, in c: ContextID) -> Bool {
    guard self[c, x].isFault else { return true }
    if self[c, x].isInserted {
      self[c, x].realise(shapes[x.entity.index].defaults)
      return true
    }
    guard let loaded = load(x, in: c) else { return false }
    self[c, x].realise(loaded)
    events.append(.hook(.awakeFromFetch, c, x))
    runActions(of: .awakeFromFetch, on: x, in: c)
    return true
  }

  /// Fires as a program's use does; false if the step has ended in an exception.
  mutating func fireOrFail(_ x: ObjectID, in c: ContextID) -> Bool {
    if fire(x, in: c) { return true }
    if inaccessibleFaultRaises {
      events.append(.failed(.inaccessible(x)))
      return false
    }
    becomeInaccessible(x, in: c)
    return true
  }

  /// FL-14: what is missing reads nil and counts as deleted.
  mutating func becomeInaccessible(_ x: ObjectID, in c: ContextID) {
    let defaults = shapes[x.entity.index].defaults
    self[c, x].realise(
      Snapshot(
        values: Array(repeating: .null, count: defaults.values.count),
        collections: defaults.collections))
    self[c, x].isDeleted = true
    self[c, x].isUpdated = false
    self[c, x].event = .deleted
  }

  /// New values come in below what was changed here (FL-02, NT-19).
  mutating func rebase(_ x: ObjectID, on loaded: Snapshot, in c: ContextID) {
    let properties = shapes[x.entity.index].properties
    for (property, shape) in properties.enumerated() {
      let isChanged = self[c, x].changed.contains(property)
      if shape.isToMany {
        let new = loaded.collections[shape.slot]
        if isChanged {
          let old = self[c, x].base.collections[shape.slot]
          let present = self[c, x].collections[shape.slot]
          self[c, x].collections[shape.slot] = reapplied(
            from: old, to: present, on: new, isOrdered: shape.isOrdered)
        } else {
          self[c, x].collections[shape.slot] = new
        }
      } else if !isChanged, !shape.isTransient {
        self[c, x].values[shape.slot] = loaded.values[shape.slot]
      }
    }
    self[c, x].base = loaded
  }

  /// `target` without what was removed between `old` and `new`, with what was added.
  func reapplied(
    from old: [ObjectID], to new: [ObjectID], on target: [ObjectID], isOrdered: Bool
  ) -> [ObjectID] {
    var result = target.filter { !old.contains($0) || new.contains($0) }
    for id in new where !old.contains(id) && !result.contains(id) { result.append(id) }
    if !isOrdered { result.sort() }
    return result
  }
}
