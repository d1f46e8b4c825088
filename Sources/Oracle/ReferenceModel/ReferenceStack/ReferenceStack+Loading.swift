import ObjectModel
import Vocabulary

/// Loads and fires objects.
extension ReferenceStack {
  /// Loads an object for `c`, without its collections (RL-16). Returns nil if the object is missing
  /// above. §load
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

  /// Decides whether a temporary ID of another branch has no meaning in `c` (ID-15). §stranger
  func isStranger(_ id: ObjectID, in c: ContextID) -> Bool {
    rowHasTwoInstances && forward(id) != nil
      && !contexts[births[id.number - 1].context].chain.contains(c)
  }

  /// Returns the instance from which the children of `parent` load `id`. It is realised, and as
  /// recent as the quirks require. Returns nil if the object is missing. §source
  mutating func source(of id: ObjectID, in parent: ContextID) -> ObjectID? {
    let wasRegistered = lookup(id, in: parent) != nil
    let y = reach(id, in: parent)
    if self[parent, y].isRemoved { return nil }
    if self[parent, y].isFault {
      guard fire(y, in: parent) else {
        // §source.2.3: only a realised instance stays registered for a child (FL-24).
        if !wasRegistered { contexts[parent.index].leave(y) }
        return nil
      }
    } else if !ancestorCacheHidesUpdates, !self[parent, y].isInserted {
      // §source.5
      guard let newer = load(y, in: parent) else { return nil }
      rebase(y, on: newer, in: parent)
    }
    assert(!self[parent, y].isFault, "\(id) is loaded from a fault")
    return y
  }

  /// Returns the values and the version that `parent` passes to its children. Transient values stay
  /// in the parent (PC-A14). §load.4
  func snapshot(of y: ObjectID, in parent: ContextID) -> Snapshot {
    let instance = self[parent, y]
    var values = instance.values
    assert(!instance.isFault, "the fault \(y) hands down values")
    let shape = shapes[y.entity.index]
    for slot in shape.transientSlots { values[slot] = shape.defaults.values[slot] }
    return Snapshot(
      values: values, collections: shape.defaults.collections, version: instance.base.version)
  }

  /// Loads a row. The row cache takes precedence over the store, however old its entry is, unless
  /// the root `c` has a staleness interval of 0 (FL-05). §load-row
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

  /// Returns the row in an attached store, if any.
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

  /// Fires a fault without an error. Returns false, and keeps the fault, if the row is missing.
  /// §fire-quietly
  mutating func fire(_ x: ObjectID, in c: ContextID) -> Bool {
    guard self[c, x].isFault else { return true }
    // §fire-quietly.2
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

  /// Fires a fault for a step. Returns false if the step has failed. §fire
  mutating func fireOrFail(_ x: ObjectID, in c: ContextID) -> Bool {
    if fire(x, in: c) { return true }
    if raisesForInaccessibleFaults(c) {
      events.append(.failed(.inaccessible(x)))
      return false
    }
    becomeInaccessible(x, in: c)
    return true
  }

  /// Returns true if firing an inaccessible fault fails, by quirk or by setting (FL-12). §fire.2
  func raisesForInaccessibleFaults(_ c: ContextID) -> Bool {
    inaccessibleFaultRaises || !contexts[c.index].shouldDeleteInaccessibleFaults
  }

  /// Marks a fault as inaccessible. It reads nil and counts as deleted (FL-14). No step deleted it,
  /// so it has no event start, and its deletion does not propagate. §become-inaccessible
  mutating func becomeInaccessible(_ x: ObjectID, in c: ContextID) {
    assert(self[c, x].isFault, "the row of \(x) was there when it was fired")
    assert(!self[c, x].isInserted, "the insertion \(x) misses its row")
    let defaults = shapes[x.entity.index].defaults
    // The level above did not supply the instance and need not keep a copy. §from-above
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

  /// Rebases an instance. Loaded values replace values without unsaved changes (FL-02, NT-19).
  /// §rebase
  mutating func rebase(_ x: ObjectID, on loaded: Snapshot, in c: ContextID) {
    // The members of its collections may have to leave.
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
