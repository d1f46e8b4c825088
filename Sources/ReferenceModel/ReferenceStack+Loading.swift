import ObjectModel
import Vocabulary

/// Where values come from when a context has none.
extension ReferenceStack {
  /// What the level above shows of `id`, without its collections (RL-16), in the IDs of `c`; nil if
  /// it is missing.
  mutating func load(_ id: ObjectID, in c: ContextID) -> Snapshot? {
    if isStranger(id, in: c) { return nil }
    guard let parent = contexts[c.index].parent else {
      guard var loaded = loadRow(row(id), in: c) else { return nil }
      loaded.collections = shapes[id.entity.index].defaults.collections
      return localized(loaded, of: id.entity, in: c)
    }
    guard let y = source(of: id, in: parent) else { return nil }
    return localized(snapshot(of: y, in: parent), of: id.entity, in: c)
  }

  /// ID-15: a leftover temporary ID means nothing to another branch.
  func isStranger(_ id: ObjectID, in c: ContextID) -> Bool {
    rowHasTwoInstances && forward(id) != nil
      && !contexts[births[id.number - 1].context].chain.contains(c)
  }

  /// The instance of `parent` from which its children load `id`, realised and as new as it has to
  /// be; nil if it is missing.
  mutating func source(of id: ObjectID, in parent: ContextID) -> ObjectID? {
    let wasRegistered = lookup(id, in: parent) != nil
    let y = reach(id, in: parent)
    if self[parent, y].isRemoved { return nil }
    if self[parent, y].isFault {
      guard fire(y, in: parent) else {
        // FL-24 is about what was filled.
        if !wasRegistered { contexts[parent.index].leave(y) }
        return nil
      }
    } else if !ancestorCacheHidesUpdates, !self[parent, y].isInserted {
      guard let newer = load(y, in: parent) else { return nil }
      rebase(y, on: newer, in: parent)
    }
    assert(!self[parent, y].isFault, "\(id) is loaded from a fault")
    return y
  }

  /// What `parent` hands down of a realised instance but for its collections: transient values stay
  /// there (PC-A14).
  func snapshot(of y: ObjectID, in parent: ContextID) -> Snapshot {
    let instance = self[parent, y]
    var values = instance.values
    assert(!instance.isFault, "the fault \(y) hands down values")
    let shape = shapes[y.entity.index]
    for slot in shape.transientSlots { values[slot] = shape.defaults.values[slot] }
    return Snapshot(
      values: values, collections: shape.defaults.collections, version: instance.base.version)
  }

  /// The row cache goes before the store, however old it is, unless the root `c` insists (FL-05).
  mutating func loadRow(_ id: ObjectID, in c: ContextID) -> Snapshot? {
    let coordinator = contexts[c.index].coordinator
    let cached = rowCaches[coordinator.index][id]
    if let cached, !contexts[c.index].hasZeroStaleness { return cached.snapshot }
    guard let row = storedRow(id, under: coordinator) else {
      rowCaches[coordinator.index].remove(id)
      return nil
    }
    if let cached, cached.snapshot.version == row.snapshot.version { return cached.snapshot }
    cache(row, under: coordinator)
    return row.snapshot
  }

  /// The row in a store that is attached.
  func storedRow(_ id: ObjectID, under coordinator: CoordinatorID) -> Row? {
    guard let store = id.store, isAttached(store, to: coordinator) else { return nil }
    return stores[store.index].rows[id]
  }

  mutating func cache(_ row: Row, under coordinator: CoordinatorID) {
    assert(row.snapshot.version >= 1, "the row \(row.id) has version 0")
    assert(
      row.id.store.map { isAttached($0, to: coordinator) } ?? false,
      "\(row.id) is cached and its store is not attached")
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
    self[c, x].realise(loaded, unfired: shapes[x.entity.index].collectionSlots)
    events.append(.hook(.awakeFromFetch, c, x))
    followCode(.awakeFromFetch, x, in: c)
    runActions(of: .awakeFromFetch, on: x, in: c)
    assert(!self[c, x].isFault, "\(x) is a fault still")
    return true
  }

  /// Fires as a program's use does; false if the step has ended in an exception.
  mutating func fireOrFail(_ x: ObjectID, in c: ContextID) -> Bool {
    if fire(x, in: c) { return true }
    if raisesForInaccessibleFaults(c) {
      events.append(.failed(.inaccessible(x)))
      return false
    }
    becomeInaccessible(x, in: c)
    return true
  }

  /// FL-12: on old systems, or because the context is set up so.
  func raisesForInaccessibleFaults(_ c: ContextID) -> Bool {
    inaccessibleFaultRaises || !contexts[c.index].shouldDeleteInaccessibleFaults
  }

  /// FL-14: what is missing reads nil and counts as deleted. No step deleted it here, and there is
  /// nothing to go back to: the event starts as without it.
  mutating func becomeInaccessible(_ x: ObjectID, in c: ContextID) {
    assert(self[c, x].isFault, "the row of \(x) was there when it was fired")
    assert(!self[c, x].isInserted, "the insertion \(x) misses its row")
    let defaults = shapes[x.entity.index].defaults
    // It never came from the level above.
    needsCollection = true
    self[c, x].realise(
      Snapshot(
        values: Array(repeating: .null, count: defaults.values.count),
        collections: defaults.collections))
    self[c, x].isInaccessible = true
    self[c, x].isDeleted = true
    self[c, x].isUpdated = false
    self[c, x].event = .deleted
  }

  /// New values come in below what was changed here (FL-02, NT-19).
  mutating func rebase(_ x: ObjectID, on loaded: Snapshot, in c: ContextID) {
    // The objects that its collections held may go.
    assert(!self[c, x].isFault, "the fault \(x) has no changes to keep")
    assert(fits(loaded.values, loaded.collections, x.entity), "\(x) was loaded unlike its entity")
    needsCollection = true
    let properties = shapes[x.entity.index].properties
    for (property, shape) in properties.enumerated() {
      let isChanged = self[c, x].changed.contains(property)
      if shape.isToMany {
        if isChanged {
          rebaseCollection(property, of: x, in: c)
        } else {
          self[c, x].unfireCollection(shape.slot)
        }
      } else if !isChanged, !shape.isTransient {
        self[c, x].values[shape.slot] = loaded.values[shape.slot]
      }
    }
    self[c, x].base.values = loaded.values
    self[c, x].base.version = loaded.version
  }
}
