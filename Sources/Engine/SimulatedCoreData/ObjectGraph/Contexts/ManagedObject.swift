import ObjectModel

/// Counterpart of `NSManagedObject`: one context's instance of an object.
struct ManagedObject: Hashable {
  /// Values and collections, by slot.
  struct Snapshot: Hashable {
    var values: [Value] = []
    var collections: [[ObjectID]] = []

    /// Returns a Boolean value that indicates whether a relationship contains `id`.
    func mentions(_ id: ObjectID, _ shapes: [PropertyShape]) -> Bool {
      for property in shapes where property.isRelationship {
        if property.kind == .toOne {
          if !values.isEmpty, values[property.slot] == .object(id) { return true }
        } else if !collections.isEmpty, collections[property.slot].contains(id) {
          return true
        }
      }
      return false
    }

    /// Returns the temporary IDs in relationships. An ID may occur twice.
    func temporaryIDs(_ shapes: [PropertyShape]) -> [ObjectID] {
      var ids: [ObjectID] = []
      for property in shapes where property.isRelationship {
        if property.kind == .toOne {
          if !values.isEmpty, let id = values[property.slot].objectID, id.isTemporaryID {
            ids.append(id)
          }
        } else if !collections.isEmpty {
          for id in collections[property.slot] where id.isTemporaryID { ids.append(id) }
        }
      }
      return ids
    }

    /// Replaces `old` with `new` in every relationship. Returns `false` if no relationship contains
    /// `old`.
    @discardableResult
    mutating func replace(
      _ old: ObjectID, with new: ObjectID, of shapes: [PropertyShape]
    ) -> Bool {
      var isReplaced = false
      assert(old != new && old.entity == new.entity, "\(new) cannot take the place of \(old)")
      for property in shapes where property.isRelationship {
        if property.kind == .toOne {
          guard !values.isEmpty, values[property.slot] == .object(old) else { continue }
          values[property.slot] = .object(new)
        } else {
          guard !collections.isEmpty,
            let member = collections[property.slot].firstIndex(of: old)
          else { continue }
          // §become-permanent.2.3
          if collections[property.slot].contains(new) {
            collections[property.slot].remove(at: member)
          } else {
            collections[property.slot][member] = new
          }
          if !property.isOrdered { collections[property.slot].sort() }
        }
        isReplaced = true
      }
      assert(!mentions(old, shapes), "a relationship had \(old) twice")
      return isReplaced
    }
  }

  /// The state of an object at one moment, which undo can restore. §event-terms
  struct State: Hashable {
    var snapshot: Snapshot
    var changed: PropertySet
    /// To-many relationships whose members the state does not know.
    var unfired: PropertySet
    var isInserted: Bool
    var isUpdated: Bool

    /// Decides whether two states are equal, without collections unfired in either. §event-terms
    func agrees(with other: State, _ shapes: [PropertyShape]) -> Bool {
      snapshot.values == other.snapshot.values && changed == other.changed
        && isInserted == other.isInserted && isUpdated == other.isUpdated
        && shapes.indices.allSatisfy { property in
          let shape = shapes[property]
          return shape.kind != .toMany || unfired.contains(property)
            || other.unfired.contains(property)
            || snapshot.collections[shape.slot] == other.snapshot.collections[shape.slot]
        }
    }
  }

  /// The state of the instance when the running event first touched it (CT-05). §event-terms
  enum EventStart: Hashable {
    /// The running event has not touched it.
    case none
    /// The object was not registered, or was pending deletion.
    case absent
    /// An index in the context's `eventStarts`.
    case at(Int)
  }

  struct Flags: OptionSet, Hashable {
    let rawValue: UInt16
    static let fault = Flags(rawValue: 1 << 0)
    static let inserted = Flags(rawValue: 1 << 1)
    static let updated = Flags(rawValue: 1 << 2)
    static let deleted = Flags(rawValue: 1 << 3)
    /// Inserted, then deleted before any save.
    static let discarded = Flags(rawValue: 1 << 4)
    /// The next save checks the version of the object, even without changes (MP-06).
    static let watched = Flags(rawValue: 1 << 5)
    /// Deleted only because firing the fault found no row (FL-14).
    static let inaccessible = Flags(rawValue: 1 << 6)
    /// Registered by a merge, which keeps the object alive (C2).
    static let kept = Flags(rawValue: 1 << 7)

    // The entries of the object in the next ObjectsDidChange.
    static let reportInserted = Flags(rawValue: 1 << 8)
    static let reportUpdated = Flags(rawValue: 1 << 9)
    static let reportDeleted = Flags(rawValue: 1 << 10)
    static let reportRefreshed = Flags(rawValue: 1 << 11)

    static let changes: Flags = [.inserted, .updated, .deleted, .discarded]
    /// Deleted by a read that found no row, and not deleted otherwise since.
    static let unfound: Flags = [.deleted, .inaccessible]
    static let reports: Flags = [
      .reportInserted, .reportUpdated, .reportDeleted, .reportRefreshed,
    ]
  }

  var id: ObjectID
  var flags: Flags
  var current = Snapshot()
  /// The values as last loaded or saved, or the entity's defaults for an insertion.
  var base = Snapshot()
  /// The row version of `base`, or 0 without a row.
  var version = 0
  /// Properties that were set since `base`, even to an equal value (CT-01).
  var changed = PropertySet()
  /// To-many relationships that are still faults, without members in `current` and `base`.
  var unfired = PropertySet()
  /// The number of names in the program that hold this instance.
  var holdCount = 0
  var eventStart = EventStart.none

  /// A Boolean value that indicates whether the running event has touched the instance.
  var hasEventStart: Bool { if case .none = eventStart { false } else { true } }
  var isFault: Bool { flags.contains(.fault) }
  /// A Boolean value that indicates whether the object is deleted, or was inserted and then
  /// deleted.
  var isPendingDeletion: Bool { !flags.isDisjoint(with: [.deleted, .discarded]) }

  /// The present state, or `nil` if the object is pending deletion, which undo treats as absent.
  /// §event-terms
  var state: State? {
    if isPendingDeletion { return nil }
    return State(
      snapshot: current, changed: changed, unfired: unfired,
      isInserted: flags.contains(.inserted), isUpdated: flags.contains(.updated))
  }

  /// Makes the current values the base, and the instance clean.
  mutating func becomeSaved() {
    base = current
    changed.removeAll()
    flags.remove([.inserted, .updated])
  }

  /// Realises the instance with all relationships fired and without a row.
  mutating func realise(showing snapshot: Snapshot) {
    (current, base, version) = (snapshot, snapshot, 0)
    changed.removeAll()
    unfired.removeAll()
    flags.remove([.fault, .inaccessible])
  }

  /// Makes an instance that the running event has inserted. §insert-object.3
  static func inserted(_ id: ObjectID, showing snapshot: Snapshot) -> ManagedObject {
    ManagedObject(
      id: id, flags: [.inserted, .reportInserted], current: snapshot, base: snapshot,
      eventStart: .absent)
  }

  static func fault(_ id: ObjectID) -> ManagedObject { ManagedObject(id: id, flags: .fault) }
}
