import ObjectModel
import Vocabulary

/// The persistent state of an object at one level.
struct Snapshot: Hashable, Sendable {
  var values: [Value] = []
  var collections: [[ObjectID]] = []
  /// The version of the row, or 0 without a row.
  var version = 0
}

/// A row of a store or of a row cache.
struct Row: HasObjectID, Hashable, Sendable {
  var id: ObjectID
  var snapshot: Snapshot
}

/// The sets of the next ObjectsDidChange that contain an instance.
struct EventPart: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  static let inserted = EventPart(rawValue: 1)
  static let updated = EventPart(rawValue: 2)
  static let deleted = EventPart(rawValue: 4)
  static let refreshed = EventPart(rawValue: 8)
}

/// The state of an instance at one moment, for comparison with a later state.
struct InstanceState: Hashable, Sendable {
  var values: [Value]
  var collections: [[ObjectID]]
  /// The slots of the collections that were unfired at that moment.
  var unfired: PropertySet
  var changed: PropertySet
  var isInserted: Bool
  var isUpdated: Bool

  /// Compares two states, except for collections that are unfired in either state.
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

/// The state of an instance, or *absent* before its insertion and after its deletion.
enum Presence: Hashable, Sendable {
  case absent
  /// Indirect, because few instances change in an event and all have the same size.
  indirect case present(InstanceState)

  func agrees(with other: Presence) -> Bool {
    switch (self, other) {
    case (.absent, .absent): true
    case (.present(let state), .present(let other)): state.agrees(with: other)
    case (.absent, .present), (.present, .absent): false
    }
  }
}

/// A registered instance: the copy of an object in one context.
struct Instance: HasObjectID, Hashable, Sendable {
  enum Change { case insertion, update, deletion }

  var id: ObjectID
  var isFault = true
  var values: [Value] = []
  var collections: [[ObjectID]] = []
  /// The slots of the unfired collections (RL-16), which are empty here and in `base`.
  var unfired = PropertySet()
  /// Values and collections as last loaded or saved. An insertion has the defaults.
  var base = Snapshot()
  var isInserted = false
  var isUpdated = false
  var isDeleted = false
  /// True if the instance was inserted and then deleted before any save.
  var isDiscarded = false
  /// Properties set since the last load or save, even to an equal value (CT-01).
  var changed = PropertySet()
  var event: EventPart = []
  /// True if the row was missing when the instance was fired (FL-14).
  var isInaccessible = false
  /// True if a merge has registered the instance as inserted, and keeps it (C2).
  var isMergedInsertion = false
  /// True if the next save checks the version although the instance is unchanged (MP-06).
  var isWatched = false
  /// The event start: the state before the running event first changed, inserted or deleted the
  /// instance (CT-05).
  var eventStart: Presence?
  /// The names that are bound to the instance, in order.
  var names: [ObjectName] = []

  init(id: ObjectID) { self.id = id }

  /// Creates an insertion.
  init(id: ObjectID, showing defaults: Snapshot) {
    self.id = id
    insert(showing: defaults)
  }

  /// The kind of change that a save acts on.
  var change: Change? {
    isInserted ? .insertion : isUpdated ? .update : isDeleted ? .deletion : nil
  }
  /// A Boolean value that indicates whether the instance is doomed, that is, deleted or discarded.
  var isRemoved: Bool { isDeleted || isDiscarded }
  /// A Boolean value that indicates whether the instance is deleted because its row was missing
  /// (FL-14).
  var isMissed: Bool { isInaccessible && isDeleted }
  /// A Boolean value that indicates whether the next report concerns the instance.
  var isPartOfEvent: Bool {
    // A pattern: `!= nil` copies the instance.
    if case .some = eventStart { return true }
    return !event.isEmpty || isDiscarded
  }
  /// A Boolean value that indicates whether the context itself holds the instance (FL-15).
  /// §needed.2
  var isPending: Bool { isInserted || isUpdated || isRemoved }
  /// A Boolean value that indicates whether the instance itself is needed. A name, a pending
  /// change, a watch or a merge (C2) may need it. §needed.1, §needed.2, §needed.3, §needed.8
  var isHeld: Bool { !names.isEmpty || isPending || isWatched || isMergedInsertion }

  /// A Boolean value that indicates whether the instance has changes, or leads to an ID that may
  /// become permanent.
  var concernsSave: Bool {
    isPending || isWatched || isInaccessible || leads(to: \.isTemporaryID)
  }

  /// Returns true if a relationship leads to a matching ID now, in the base or in the event start.
  /// Inlined, because a call copies the instance.
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

  // Inlined, because a call copies the instance.

  @inline(__always) func differsFromBase(_ shape: PropertyShape) -> Bool {
    shape.isToMany
      ? collections[shape.slot] != base.collections[shape.slot]
      : values[shape.slot] != base.values[shape.slot]
  }

  /// Decides whether a property is really changed (CT-02). §really-changed
  @inline(__always) func isReallyChanged(_ property: Int, _ shape: PropertyShape) -> Bool {
    changed.contains(property) && !shape.isTransient && differsFromBase(shape)
  }

  /// Decides whether a stored attribute differs from its base, whether or not the change was
  /// tracked (CT-06). §written.3
  @inline(__always) func differsFromRow(_ shape: PropertyShape) -> Bool {
    !shape.isRelationship && !shape.isTransient && differsFromBase(shape)
  }

  /// The state that undo can restore.
  var presence: Presence {
    isRemoved ? .absent : .present(state)
  }

  var state: InstanceState {
    InstanceState(
      values: values, collections: collections, unfired: unfired, changed: changed,
      isInserted: isInserted, isUpdated: isUpdated)
  }
}
