import ObjectModel
import Vocabulary

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
  /// Indirect, for few instances change in an event, and all are as large.
  indirect case present(InstanceState)

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
  enum Change { case insertion, update, deletion }

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
  /// Those that are bound to it, in order.
  var names: [ObjectName] = []

  init(id: ObjectID) { self.id = id }

  /// An insertion.
  init(id: ObjectID, showing defaults: Snapshot) {
    self.id = id
    insert(showing: defaults)
  }

  /// What a save would do with it.
  var change: Change? {
    isInserted ? .insertion : isUpdated ? .update : isDeleted ? .deletion : nil
  }
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
  var isHeld: Bool { !names.isEmpty || isPending || isWatched || isMergedInsertion }

  /// It has changes, or leads to an ID that may become a permanent one.
  var concernsSave: Bool {
    isPending || isWatched || isInaccessible || leads(to: \.isTemporaryID)
  }

  /// Whether some relationship leads to an ID that is meant, or did when the event began or at the
  /// last save. Inlined: a call copies the instance.
  @inline(__always) func leads(to isMeant: (ObjectID) -> Bool) -> Bool {
    if Instance.leads(values, collections, to: isMeant)
      || Instance.leads(base.values, base.collections, to: isMeant)
    {
      return true
    }
    guard case .present(let state)? = eventStart else { return false }
    return Instance.leads(state.values, state.collections, to: isMeant)
  }

  @inline(__always) private static func leads(
    _ values: [Value], _ collections: [[ObjectID]], to isMeant: (ObjectID) -> Bool
  ) -> Bool {
    for value in values {
      if case .object(let id) = value, isMeant(id) { return true }
    }
    for collection in collections {
      for id in collection where isMeant(id) { return true }
    }
    return false
  }

  // Inlined, as above.

  @inline(__always) func differsFromBase(_ shape: PropertyShape) -> Bool {
    shape.isToMany
      ? collections[shape.slot] != base.collections[shape.slot]
      : values[shape.slot] != base.values[shape.slot]
  }

  /// Set, persistent, and different from what was loaded (CT-02).
  @inline(__always) func isReallyChanged(_ property: Int, _ shape: PropertyShape) -> Bool {
    changed.contains(property) && !shape.isTransient && differsFromBase(shape)
  }

  /// A stored attribute that is not what was loaded, however it was set (CT-06).
  @inline(__always) func differsFromRow(_ shape: PropertyShape) -> Bool {
    !shape.isRelationship && !shape.isTransient && differsFromBase(shape)
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
}
