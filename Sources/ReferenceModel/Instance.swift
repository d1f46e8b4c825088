import Determinism
import ObjectModel

/// The persistent state of an object at one level.
struct Snapshot: Hashable, Sendable {
  var values: [Value] = []
  var collections: [[ObjectID]] = []
  /// 0 if it never came from a row.
  var version = 0
}

/// A row of a store or of a row cache.
struct Row: HasObjectID, Hashable, Sendable {
  var id: ObjectID
  var snapshot: Snapshot
}

/// What the running event has an instance as: what the next ObjectsDidChange will say of it.
struct EventPart: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  static let inserted = EventPart(rawValue: 1)
  static let updated = EventPart(rawValue: 2)
  static let deleted = EventPart(rawValue: 4)
  static let refreshed = EventPart(rawValue: 8)
}

/// What an instance is at one moment, to be compared with what it is later.
struct InstanceState: Hashable, Sendable {
  var values: [Value]
  var collections: [[ObjectID]]
  /// The slots of the collections that were unfired then.
  var unfired: PropertySet
  var changed: PropertySet
  var isInserted: Bool
  var isUpdated: Bool

  /// Equal in all that both know of.
  func agrees(with other: InstanceState) -> Bool {
    values == other.values && changed == other.changed && isInserted == other.isInserted
      && isUpdated == other.isUpdated
      && collections.indices.allSatisfy { agrees(with: other, inCollection: $0) }
  }

  func agrees(with other: InstanceState, inCollection slot: Int) -> Bool {
    unfired.contains(slot) || other.unfired.contains(slot)
      || collections[slot] == other.collections[slot]
  }

  mutating func fireCollection(_ slot: Int, _ members: [ObjectID]) {
    guard unfired.contains(slot) else { return }
    unfired.remove(slot)
    collections[slot] = members
  }
}

/// An instance's state, or that it was not there yet, or was deleted.
enum Presence: Hashable, Sendable {
  case absent
  case present(InstanceState)

  func agrees(with other: Presence) -> Bool {
    switch (self, other) {
    case (.absent, .absent): true
    case (.present(let state), .present(let other)): state.agrees(with: other)
    case (.absent, .present), (.present, .absent): false
    }
  }
}

/// An object as one context has it registered.
struct Instance: HasObjectID, Hashable, Sendable {
  var id: ObjectID
  var isFault = true
  var values: [Value] = []
  var collections: [[ObjectID]] = []
  /// The slots of the collections that are unfired since the values were loaded (RL-16): empty
  /// until they are used, here and in `base`.
  var unfired = PropertySet()
  /// As last loaded or saved; defaults for an insert.
  var base = Snapshot()
  var isInserted = false
  var isUpdated = false
  var isDeleted = false
  /// Inserted, then deleted before any save.
  var isDiscarded = false
  /// Set since it was last saved or loaded, even to an equal value (CT-01).
  var changed = PropertySet()
  var event: EventPart = []
  /// Its row was missing when it was fired (FL-14).
  var isInaccessible = false
  /// A merge has registered it as inserted, and keeps it (C2).
  var isMergedInsertion = false
  /// The next save checks its version (MP-06).
  var isWatched = false
  /// As it was when the running event first changed, inserted or deleted it (CT-05).
  var eventStart: Presence?
  /// How many names are bound to it.
  var holderCount = 0

  init(id: ObjectID) { self.id = id }

  /// Deleted or discarded.
  var isRemoved: Bool { isDeleted || isDiscarded }
  /// Deleted for no other reason than that a read did not find it (FL-14).
  var isMissed: Bool { isInaccessible && isDeleted }
  /// Whether the next report has something to say of it, or to forget.
  var isPartOfEvent: Bool {
    // A pattern: `!= nil` copies the instance.
    if case .some = eventStart { return true }
    return !event.isEmpty || isDiscarded
  }
  /// A context holds on to such an instance by itself (FL-15).
  var isPending: Bool { isInserted || isUpdated || isRemoved }
  /// Whether it stays registered whatever else is there: a name has it, or its context, for what is
  /// pending or perhaps for what it knows from a merge (C2). Besides, contexts hold what could be
  /// undone, or everything (FL-18).
  var isHeld: Bool { holderCount > 0 || isPending || isWatched || isMergedInsertion }

  /// Whether some relationship leads to `id`, or did when the event began or at the last save.
  /// Inlined: a call copies the instance.
  @inline(__always) func mentionsAny(of ids: LookupTable<ObjectID, ObjectID>) -> Bool {
    if mentionsAny(of: ids, values, collections)
      || mentionsAny(of: ids, base.values, base.collections)
    {
      return true
    }
    guard case .present(let state)? = eventStart else { return false }
    return mentionsAny(of: ids, state.values, state.collections)
  }

  private func mentionsAny(
    of ids: LookupTable<ObjectID, ObjectID>, _ values: [Value], _ collections: [[ObjectID]]
  ) -> Bool {
    func isAny(_ id: ObjectID) -> Bool { id.isTemporaryID && ids[id] != nil }
    for value in values {
      if let id = value.objectID, isAny(id) { return true }
    }
    for collection in collections where collection.contains(where: isAny) { return true }
    return false
  }

  /// What undo can bring back.
  var presence: Presence {
    isRemoved ? .absent : .present(state)
  }

  var state: InstanceState {
    InstanceState(
      values: values, collections: collections, unfired: unfired, changed: changed,
      isInserted: isInserted, isUpdated: isUpdated)
  }

  /// Shows `snapshot`, and nothing of the collections in the slots `unfired`.
  mutating func realise(_ snapshot: Snapshot, unfired: PropertySet = PropertySet()) {
    isFault = false
    values = snapshot.values
    base = snapshot
    for slot in base.collections.indices where unfired.contains(slot) {
      base.collections[slot] = []
    }
    collections = base.collections
    self.unfired = unfired
    changed.removeAll()
  }

  mutating func fireCollection(_ slot: Int, _ members: [ObjectID]) {
    assert(!isFault, "a relationship of the fault \(id) is fired")
    assert(unfired.contains(slot), "collection \(slot) of \(id) is fired twice")
    assert(collections[slot].isEmpty, "collection \(slot) of \(id) shows members unfired")
    unfired.remove(slot)
    collections[slot] = members
    base.collections[slot] = members
    if case .present(var state)? = eventStart {
      state.fireCollection(slot, members)
      eventStart = .present(state)
    }
  }

  /// The collection in `slot` is a fault again.
  mutating func unfireCollection(_ slot: Int) {
    assert(!isFault, "a relationship of the fault \(id) turns into one")
    unfired.insert(slot)
    collections[slot] = []
    base.collections[slot] = []
  }

  /// Nothing is left but its ID, and that it may be inserted.
  mutating func turnIntoFault() {
    assert(!isFault, "\(id) is a fault already")
    isFault = true
    values = []
    collections = []
    unfired.removeAll()
    changed.removeAll()
    isUpdated = false
    isInaccessible = false
    isMergedInsertion = false
    // A fault differs from nothing that it was.
    eventStart = nil
  }

  /// Without changes; what it shows is what it will go back to.
  mutating func clean() {
    assert(!isFault, "the fault \(id) has nothing to become its base")
    assert(!isDiscarded, "\(id) was discarded and becomes clean")
    base.values = values
    base.collections = collections
    isInserted = false
    isUpdated = false
    isDeleted = false
    changed.removeAll()
  }
}
