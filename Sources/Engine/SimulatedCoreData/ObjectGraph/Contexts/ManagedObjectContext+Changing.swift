import ObjectModel
import Vocabulary

/// Changes of instances that concern their context alone.
extension ManagedObjectContext {
  /// Starts the event of an instance by keeping its state before a tracked change, an insertion or
  /// a deletion. Only the first start in an event counts. §start-event
  mutating func startEvent(_ slot: Int) {
    guard case .none = objects[slot].eventStart else { return }
    let flags = objects[slot].flags
    if flags.contains(.fault) { return }
    if flags.contains([.inserted, .reportInserted]) {
      objects[slot].eventStart = .absent
    } else if let state = objects[slot].state {
      objects[slot].eventStart = .at(eventStarts.count)
      eventStarts.append(state)
    }
  }

  /// Returns the state of an instance at the start of its event. Returns `nil` if the instance was
  /// absent or has no start.
  func eventStart(of slot: Int) -> ManagedObject.State? {
    guard case .at(let index) = objects[slot].eventStart else { return nil }
    assert(hasReports, "an event that is over has a start")
    assert(eventStarts.indices.contains(index), "the event has no state \(index)")
    return eventStarts[index]
  }

  /// Tracks a change of a property, even to an equal value (CT-01). §track
  mutating func track(_ property: Int, of slot: Int, by setting: Setting) {
    assert(!isFault(slot), "a property of a fault is tracked")
    assert(
      !objects[slot].unfired.contains(property),
      "property \(property) is tracked before it is fired")
    guard !objects[slot].isPendingDeletion else { return }
    startEvent(slot)
    objects[slot].changed.insert(property)
    let entity = objects[slot].id.entity
    // Objects that the relationship held may now be released (RD-A11).
    if setting.shapes[entity.index][property].isRelationship { mayCollect = true }
    let flags = objects[slot].flags
    if !flags.contains(.inserted) { objects[slot].flags.insert(.updated) }
    // §track.5
    let isReported =
      !flags.contains(.inserted) || !setting.quirks.contains(.editedInsertIsNotReported)
    if isReported, !flags.contains(.reportInserted) {
      objects[slot].flags.insert(.reportUpdated)
    }
    hasReports = true
  }

  /// Sets the value of an attribute or to-one relationship, without changing the inverse.
  /// §set-value
  mutating func set(_ property: PropertyID, of slot: Int, to value: Value, by setting: Setting) {
    let entity = objects[slot].id.entity
    let shape = setting.shapes[entity.index][property.index]
    assert(shape.kind != .toMany, "a to-many relationship has no single value")
    assert(!isFault(slot), "a property of a fault is set")
    if !objects[slot].isPendingDeletion { startEvent(slot) }
    objects[slot].current.values[shape.slot] = value
    track(property.index, of: slot, by: setting)
  }

  /// Marks an instance as deleted, with propagation to follow. §mark-deleted
  mutating func markDeleted(_ slot: Int, by setting: Setting) {
    assert(
      setting.bugs.contains(.skipsPropagation) || !unpropagated.contains(slot),
      "slot \(slot) is to propagate already")
    markDeletedWithoutPropagation(slot)
    unpropagated.append(slot)
    assert(isPendingDeletion(slot), "slot \(slot) is not deleted")
  }

  /// Marks an instance as deleted, or as discarded if it was never saved. Nothing propagates.
  /// §mark-deleted
  mutating func markDeletedWithoutPropagation(_ slot: Int) {
    assert(!isFault(slot), "a fault is deleted")
    assert(!isPendingDeletion(slot), "slot \(slot) is deleted already")
    startEvent(slot)
    var flags = objects[slot].flags
    flags.remove(.updated)
    if flags.contains(.inserted) {
      flags.remove(.inserted)
      flags.insert(.discarded)
    } else {
      flags.insert(.deleted)
    }
    // §mark-deleted.4 (CT-09)
    if flags.contains(.reportInserted) {
      flags.remove(.reports)
    } else {
      flags.insert(.reportDeleted)
    }
    assert(flags.isDisjoint(with: [.inserted, .updated]), "what is deleted has other changes")
    objects[slot].flags = flags
    hasReports = true
  }

  /// Sorts the members of an ordered relationship like `model`. §replace-members.4
  mutating func reorder(
    _ property: PropertyID, of slot: Int, like model: [ObjectID], by setting: Setting
  ) {
    let shape = setting.shapes[objects[slot].id.entity.index][property.index]
    assert(shape.isOrdered, "property \(property.index) has no order")
    assert(
      !objects[slot].unfired.contains(property.index),
      "property \(property.index) is put in order before it is fired")
    startEvent(slot)
    objects[slot].current.collections[shape.slot] = ObjectGraph.ordered(
      objects[slot].current.collections[shape.slot], like: model)
  }

  /// Sets a value without change tracking. The value is saved once a tracked change makes the
  /// object part of a save (CT-06). §set-primitive
  mutating func setPrimitive(
    _ property: PropertyID, of slot: Int, to value: Value, by setting: Setting
  ) {
    if setting.bugs.contains(.setPrimitiveIsTracked) {
      return set(property, of: slot, to: value, by: setting)
    }
    let entity = objects[slot].id.entity
    let shape = setting.shapes[entity.index][property.index]
    assert(shape.kind == .attribute, "property \(property.index) is no attribute")
    assert(!isFault(slot), "a property of a fault is set")
    objects[slot].current.values[shape.slot] = value
  }

  /// Stops watching all objects of the context. §commit.10
  mutating func endWatch() {
    for slot in objects.unsettled
    where objects[slot].flags.contains(.watched) {
      objects[slot].flags.remove(.watched)
      mayCollect = true
    }
  }

  /// Returns the watched objects that a root's commit checks in addition to its changes (MP-06).
  /// §collect-changes.2.4
  func watched(besides changes: Changes, by setting: Setting) -> [Int] {
    guard isRoot else { return [] }
    var watched: [Int] = []
    for slot in objects.unsettled
    where objects[slot].flags.contains(.watched)
      && !has([.fault, .inserted, .deleted, .discarded], slot)
    {
      let isUpdated = changes.index(of: slot).map { changes[$0].kind == .updated } ?? false
      if !isUpdated || !isWritten(slot, by: setting) { watched.append(slot) }
    }
    return sorted(watched)
  }

  /// Records the saved objects by their present IDs. §note-saved.1
  mutating func noteCommitted(_ changes: Changes) {
    var committed = committed
    for change in changes.all {
      let id = objects[change.slot].id
      switch change.kind {
      case .inserted: committed.inserted.note(id)
      case .updated: committed.updated.note(id)
      case .deleted: committed.deleted.note(id)
      case nil: break
      }
    }
    committed.inserted.sort()
    self.committed = committed
  }

  /// Ends the last delivery of a context. §end-delivery
  mutating func endDelivery() {
    precondition(
      !deliveries.isEmpty, "a delivery of context \(id.index) ends twice")
    deliveries.removeLast()
    mayCollect = true
  }

  /// Empties the event pool of a context. §end-event.2
  mutating func letGoOfTouched() {
    if autoreleased.isEmpty { return }
    autoreleased.removeAll()
    mayCollect = true
  }

  /// Discards the running event. Its instances must be clean or released.
  mutating func forgetEvent(by setting: Setting) {
    assert(
      unsettledSlots.allSatisfy {
        objects[$0].eventStart == .none
          || setting.bugs.contains(.rollbackKeepsInsertions)
      }, "an instance is part of an event that is dropped")
    hasReports = false
    eventStarts.removeAll(keepingCapacity: true)
  }
}
