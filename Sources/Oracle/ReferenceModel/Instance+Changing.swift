import ObjectModel

/// Changes of one instance and of the values that it shows.
extension Instance {
  /// Starts the event of a realised instance, before the running event changes it (CT-05).
  /// §start-event
  mutating func beginEvent() {
    if case .some = eventStart { return }
    assert(!isFault, "an event starts with the fault \(id)")
    eventStart = event.contains(.inserted) && isInserted ? .absent : presence
  }

  /// Tracks a change of a property, even to an equal value (CT-01). §track
  mutating func track(_ property: Int, reportsEditedInsert: Bool) {
    if isRemoved { return }
    beginEvent()
    assert(!isFault, "a property of the fault \(id) is tracked")
    changed.insert(property)
    if !isInserted { isUpdated = true }
    // §track.5
    if isInserted, !reportsEditedInsert { return }
    // §track.6 (NM-A2)
    if !event.contains(.inserted) { event.insert(.updated) }
  }

  /// Sets the value of a property in `slot`. A doomed instance does not track the change
  /// (C10). §set-value
  mutating func set(
    _ property: Int, in slot: Int, to value: Value, reportsEditedInsert: Bool
  ) {
    assert(!isFault, "a property of the fault \(id) is set")
    if !isRemoved { beginEvent() }
    values[slot] = value
    track(property, reportsEditedInsert: reportsEditedInsert)
  }

  /// Puts a member into the collection in `slot`. §join
  mutating func join(_ member: ObjectID, in slot: Int, isOrdered: Bool) {
    beginEvent()
    collections[slot].include(member, isOrdered: isOrdered)
  }

  /// Removes a member from the collection in `slot`.
  mutating func part(from member: ObjectID, in slot: Int) {
    beginEvent()
    collections[slot].removeAll { $0 == member }
  }

  /// Becomes an insertion that shows defaults. §insert-object.2, §insert-object.3
  mutating func insert(showing defaults: Snapshot) {
    realise(defaults)
    isInserted = true
    event = .inserted
    eventStart = .absent
  }

  /// Ends the running event and its start, and returns the part that the event had. §report.3.4
  @discardableResult
  mutating func endEvent() -> EventPart {
    eventStart = nil
    defer { event = [] }
    return event
  }

  /// Marks the instance as deleted or discarded. §mark-deleted
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
    // §mark-deleted.4 (CT-09)
    event = event.contains(.inserted) ? [] : .deleted
    assert(isRemoved && !isInserted, "\(id) is not deleted")
  }

  // MARK: Faults

  /// Realises the instance with `snapshot`. Collections in the slots `unfired` are empty. §realise
  mutating func realise(_ snapshot: Snapshot, unfired: PropertySet = PropertySet()) {
    isFault = false
    values = snapshot.values
    base = snapshot
    // Checked first, because a loop that writes copies the list even if it writes nothing.
    if !unfired.isEmpty, base.collections.contains(where: { !$0.isEmpty }) {
      for slot in base.collections.indices where unfired.contains(slot) {
        base.collections[slot] = []
      }
    }
    collections = base.collections
    self.unfired = unfired
    changed.removeAll()
  }

  /// Fires the collection in `slot`. §use.3, §use.4, §use.5
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

  /// Turns the collection in `slot` into a fault again. §rebase.1.2
  mutating func unfireCollection(_ slot: Int) {
    assert(!isFault, "a relationship of the fault \(id) turns into one")
    unfired.insert(slot)
    collections[slot] = []
    base.collections[slot] = []
  }

  /// Turns the instance into a fault, which keeps its ID and may be inserted. §turn-into-fault
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
    // §turn-into-fault.4
    eventStart = nil
  }

  /// Makes the shown values and collections the base, without changes.
  mutating func clean() {
    assert(!isFault, "the fault \(id) has nothing to become its base")
    assert(!isDiscarded, "\(id) was discarded and becomes clean")
    base.values = values
    base.collections = collections
    forgetChanges()
  }

  /// Removes the marks of pending changes. The instance must show its base.
  mutating func forgetChanges() {
    assert(values == base.values && collections == base.collections, "\(id) has changes")
    isInserted = false
    isUpdated = false
    isDeleted = false
    changed.removeAll()
  }
}
