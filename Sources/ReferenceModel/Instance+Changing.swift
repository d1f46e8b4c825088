import ObjectModel

/// What the running event does to one instance, and what it shows.
extension Instance {
  /// Remembers what it is, before the running event changes it for the first time (CT-05).
  mutating func beginEvent() {
    if case .some = eventStart { return }
    assert(!isFault, "an event starts with the fault \(id)")
    eventStart = event.contains(.inserted) && isInserted ? .absent : presence
  }

  /// Notes that a property was set, even to an equal value (CT-01).
  mutating func track(_ property: Int, reportsEditedInsert: Bool) {
    if isRemoved { return }
    beginEvent()
    assert(!isFault, "a property of the fault \(id) is tracked")
    changed.insert(property)
    if !isInserted { isUpdated = true }
    if isInserted, !reportsEditedInsert { return }
    // An insert that was already reported is reported as updated (NM-A2).
    if !event.contains(.inserted) { event.insert(.updated) }
  }

  /// Sets a property that has its value in `slot`. What is deleted keeps it to itself (C10).
  mutating func set(
    _ property: Int, in slot: Int, to value: Value, reportsEditedInsert: Bool
  ) {
    assert(!isFault, "a property of the fault \(id) is set")
    if !isRemoved { beginEvent() }
    values[slot] = value
    track(property, reportsEditedInsert: reportsEditedInsert)
  }

  /// Has another member in `slot`.
  mutating func join(_ member: ObjectID, in slot: Int, isOrdered: Bool) {
    beginEvent()
    collections[slot].include(member, isOrdered: isOrdered)
  }

  /// Has a member less in `slot`.
  mutating func part(from member: ObjectID, in slot: Int) {
    beginEvent()
    collections[slot].removeAll { $0 == member }
  }

  /// Is new here, with these defaults.
  mutating func insert(showing defaults: Snapshot) {
    realise(defaults)
    isInserted = true
    event = .inserted
    eventStart = .absent
  }

  /// Answers what the event had it as.
  @discardableResult
  mutating func endEvent() -> EventPart {
    eventStart = nil
    defer { event = [] }
    return event
  }

  mutating func delete() {
    assert(!isRemoved, "\(id) is deleted twice")
    beginEvent()
    if isInserted {
      isInserted = false
      isDiscarded = true
    } else {
      isDeleted = true
    }
    isUpdated = false
    // CT-09: inserted and deleted within one event, it is not mentioned at all.
    event = event.contains(.inserted) ? [] : .deleted
    assert(isRemoved && !isInserted, "\(id) is not deleted")
  }

  // MARK: Faults

  /// Shows `snapshot`, and nothing of the collections in the slots `unfired`.
  mutating func realise(_ snapshot: Snapshot, unfired: PropertySet = PropertySet()) {
    isFault = false
    values = snapshot.values
    base = snapshot
    // A loop that writes copies the list first, also where it has nothing to write.
    if !unfired.isEmpty, base.collections.contains(where: { !$0.isEmpty }) {
      for slot in base.collections.indices where unfired.contains(slot) {
        base.collections[slot] = []
      }
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
    forgetChanges()
  }

  /// Shows what it would go back to.
  mutating func forgetChanges() {
    assert(values == base.values && collections == base.collections, "\(id) has changes")
    isInserted = false
    isUpdated = false
    isDeleted = false
    changed.removeAll()
  }
}
