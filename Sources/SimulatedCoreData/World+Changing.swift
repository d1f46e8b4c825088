import ObjectModel
import Vocabulary

/// Inserting, setting, deleting: what makes a context dirty.
extension World {
  /// A new object, awakened; `name` is what the program calls it.
  mutating func insert(_ entity: EntityID, as name: ObjectName?, in context: ContextID) -> Int {
    let id = makeTemporaryID(for: entity, in: context, name: name)
    let slot = register(.inserted(id, showing: defaults(of: entity)), in: context)
    contexts[context.index].hasReports = true
    if let name { contexts[context.index].bind(name, to: slot) }
    awakeFromInsert(slot, in: context)
    assert(isRegistered(slot, in: context), "\(id) has left while it was inserted")
    return slot
  }

  /// Notes that a property was set through a tracked accessor, be it to an equal value (CT-01).
  mutating func track(_ property: Int, of slot: Int, in context: ContextID) {
    assert(!isFault(slot, in: context), "a property of a fault is tracked")
    assert(
      !contexts[context.index].objects[slot].unfired.contains(property),
      "property \(property) is tracked before it is fired")
    guard !contexts[context.index].objects[slot].isPendingDeletion else { return }
    startEvent(slot, in: context)
    contexts[context.index].objects[slot].changed.insert(property)
    let entity = contexts[context.index].objects[slot].id.entity
    // The objects that it held may go now (RD-A11).
    if shapes[entity.index][property].isRelationship { contexts[context.index].mayCollect = true }
    let flags = contexts[context.index].objects[slot].flags
    if !flags.contains(.inserted) { contexts[context.index].objects[slot].flags.insert(.updated) }
    let isReported =
      !flags.contains(.inserted) || !quirks.contains(.editedInsertIsNotReported)
    if isReported, !flags.contains(.reportInserted) {
      contexts[context.index].objects[slot].flags.insert(.reportUpdated)
    }
    contexts[context.index].hasReports = true
  }

  mutating func set(
    _ property: PropertyID, of slot: Int, to value: Value, in context: ContextID
  ) {
    let entity = contexts[context.index].objects[slot].id.entity
    let shape = shapes[entity.index][property.index]
    assert(shape.kind != .toMany, "a to-many relationship has no single value")
    assert(!isFault(slot, in: context), "a property of a fault is set")
    if !contexts[context.index].objects[slot].isPendingDeletion { startEvent(slot, in: context) }
    contexts[context.index].objects[slot].current.values[shape.slot] = value
    track(property.index, of: slot, in: context)
  }

  /// `note.views += 1`: a read and a write that nothing comes between. The greatest number stays.
  mutating func increment(_ property: PropertyID, of slot: Int, in context: ContextID) {
    let object = contexts[context.index].objects[slot]
    assert(!object.isFault, "a property of a fault is incremented")
    let shape = shapes[object.id.entity.index][property.index]
    let type = model.entities[object.id.entity.index].properties[property.index].attribute?.type
    var sum: Int64 = 1
    if case .integer(let number) = object.current.values[shape.slot] {
      sum = number == type?.greatestInteger ? number : number + 1
    }
    set(property, of: slot, to: .integer(sum), in: context)
    events.append(.value(.integer(sum)))
  }

  /// `delete(_:)` on a realised instance: the hook, the mark; propagation comes later (RL-10).
  mutating func delete(_ slot: Int, in context: ContextID) {
    assert(!isFault(slot, in: context), "slot \(slot) is deleted before it is fired")
    let id = contexts[context.index].objects[slot].id
    events.append(.hook(.prepareForDeletion, context, id))
    _ = callCode(.prepareForDeletion, id, in: context)
    // A second `delete` runs the hook again and changes nothing (LC-13).
    guard !contexts[context.index].objects[slot].isPendingDeletion else { return }
    markDeleted(slot, in: context)
  }

  mutating func markDeleted(_ slot: Int, in context: ContextID) {
    assert(
      bugs.contains(.skipsPropagation) || !contexts[context.index].unpropagated.contains(slot),
      "slot \(slot) is to propagate already")
    takeAway(slot, in: context)
    contexts[context.index].unpropagated.append(slot)
    assert(isPendingDeletion(slot, in: context), "slot \(slot) is not deleted")
  }

  /// The instance is deleted, or discarded if it was never saved; its delete rules stay out of it.
  mutating func takeAway(_ slot: Int, in context: ContextID) {
    assert(!isFault(slot, in: context), "a fault is deleted")
    assert(!isPendingDeletion(slot, in: context), "slot \(slot) is deleted already")
    startEvent(slot, in: context)
    var flags = contexts[context.index].objects[slot].flags
    flags.remove(.updated)
    if flags.contains(.inserted) {
      flags.remove(.inserted)
      flags.insert(.discarded)
    } else {
      flags.insert(.deleted)
    }
    // Inserted and deleted within one event: no notification names it (CT-09).
    if flags.contains(.reportInserted) {
      flags.remove(.reports)
    } else {
      flags.insert(.reportDeleted)
    }
    assert(flags.isDisjoint(with: [.inserted, .updated]), "what is deleted has other changes")
    contexts[context.index].objects[slot].flags = flags
    contexts[context.index].hasReports = true
  }
}
