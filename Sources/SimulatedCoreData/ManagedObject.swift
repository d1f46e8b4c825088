import ObjectModel

/// Counterpart of `NSManagedObject`: one context's instance of an object.
struct ManagedObject: Hashable {
  /// Values and collections, by slot.
  struct Snapshot: Hashable {
    var values: [Value] = []
    var collections: [[ObjectID]] = []
  }

  struct Flags: OptionSet, Hashable {
    let rawValue: UInt16
    static let fault = Flags(rawValue: 1 << 0)
    static let inserted = Flags(rawValue: 1 << 1)
    static let updated = Flags(rawValue: 1 << 2)
    static let deleted = Flags(rawValue: 1 << 3)
    /// Inserted, then deleted before any save.
    static let discarded = Flags(rawValue: 1 << 4)

    // What the next ObjectsDidChange will say.
    static let reportInserted = Flags(rawValue: 1 << 8)
    static let reportUpdated = Flags(rawValue: 1 << 9)
    static let reportDeleted = Flags(rawValue: 1 << 10)
    static let reportRefreshed = Flags(rawValue: 1 << 11)

    static let changes: Flags = [.inserted, .updated, .deleted, .discarded]
    static let reports: Flags = [
      .reportInserted, .reportUpdated, .reportDeleted, .reportRefreshed,
    ]
  }

  var id: ObjectID
  var flags: Flags
  var current = Snapshot()
  /// As last loaded or saved; the entity's defaults for an insertion.
  var base = Snapshot()
  /// The row version of `base`; 0 for none.
  var version = 0
  /// Properties that were set since `base`, even to an equal value (CT-01).
  var changed = PropertySet()
  /// How many of the program's names hold this instance.
  var holdCount = 0

  var isFault: Bool { flags.contains(.fault) }
  /// On its way out: deleted, or inserted and deleted.
  var isDoomed: Bool { !flags.isDisjoint(with: [.deleted, .discarded]) }

  static func fault(_ id: ObjectID) -> ManagedObject { ManagedObject(id: id, flags: .fault) }
}
