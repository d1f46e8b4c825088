import ObjectModel

/// The persistent state of an object at one level.
struct Snapshot: Hashable, Sendable {
  var values: [Value] = []
  var collections: [[ObjectID]] = []
  /// 0 if it never came from a row.
  var version = 0
}

/// A row of a store or of a row cache.
struct Row: HasObjectID, Sendable {
  var id: ObjectID
  var snapshot: Snapshot
}

/// A set of properties of one entity.
struct PropertySet: Hashable, Sendable {
  private var bits: UInt64 = 0

  var isEmpty: Bool { bits == 0 }
  func contains(_ property: Int) -> Bool { bits & (1 << UInt64(property)) != 0 }
  mutating func insert(_ property: Int) { bits |= 1 << UInt64(property) }
  mutating func removeAll() { bits = 0 }
}

/// What the running event has an instance as: what the next ObjectsDidChange will say of it.
struct EventPart: OptionSet, Sendable {
  let rawValue: UInt8

  static let inserted = EventPart(rawValue: 1)
  static let updated = EventPart(rawValue: 2)
  static let deleted = EventPart(rawValue: 4)
  static let refreshed = EventPart(rawValue: 8)
}

/// An object as one context has it registered.
struct Instance: HasObjectID, Sendable {
  var id: ObjectID
  var isFault = true
  var values: [Value] = []
  var collections: [[ObjectID]] = []
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
  /// How many names are bound to it.
  var holderCount = 0

  init(id: ObjectID) { self.id = id }

  /// Deleted or discarded.
  var isRemoved: Bool { isDeleted || isDiscarded }
  /// A context holds on to such an instance by itself (FL-15).
  var isPending: Bool { isInserted || isUpdated || isRemoved }

  mutating func realise(_ snapshot: Snapshot) {
    isFault = false
    values = snapshot.values
    collections = snapshot.collections
    base = snapshot
    changed.removeAll()
  }

  /// Without changes; what it shows is what it will go back to.
  mutating func clean() {
    base.values = values
    base.collections = collections
    isInserted = false
    isUpdated = false
    isDeleted = false
    changed.removeAll()
  }
}
