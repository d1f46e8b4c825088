import ObjectModel
import Vocabulary

/// Inserting, setting and deleting: the changes that make a context dirty.
extension ObjectGraph {
  /// Inserts an object that the program calls `name`, and awakens it. §insert-object
  mutating func insert(_ entity: EntityID, as name: ObjectName?, in context: ContextID) -> Int {
    let id = makeTemporaryID(for: entity, in: context, name: name)
    let slot = register(.inserted(id, showing: defaults(of: entity)), in: context)
    contexts[context.index].hasReports = true
    if let name { contexts[context.index].bind(name, to: slot) }
    awakeFromInsert(slot, in: context)
    assert(isRegistered(slot, in: context), "\(id) has left while it was inserted")
    return slot
  }

  /// Tracks a change of a property, even to an equal value (CT-01). §track
  mutating func track(_ property: Int, of slot: Int, in context: ContextID) {
    assert(!isFault(slot, in: context), "a property of a fault is tracked")
    assert(
      !contexts[context.index].objects[slot].unfired.contains(property),
      "property \(property) is tracked before it is fired")
    guard !contexts[context.index].objects[slot].isPendingDeletion else { return }
    startEvent(slot, in: context)
    contexts[context.index].objects[slot].changed.insert(property)
    let entity = contexts[context.index].objects[slot].id.entity
    // The objects that the relationship held may leave now (RD-A11).
    if shapes[entity.index][property].isRelationship { contexts[context.index].mayCollect = true }
    let flags = contexts[context.index].objects[slot].flags
    if !flags.contains(.inserted) { contexts[context.index].objects[slot].flags.insert(.updated) }
    // §track.5
    let isReported =
      !flags.contains(.inserted) || !quirks.contains(.editedInsertIsNotReported)
    if isReported, !flags.contains(.reportInserted) {
      contexts[context.index].objects[slot].flags.insert(.reportUpdated)
    }
    contexts[context.index].hasReports = true
  }

  /// Sets the value of an attribute or to-one relationship, on this side only. §set-value
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

  /// Increments an attribute, as `note.views += 1` that nothing interrupts. The greatest number
  /// stays. §increment
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
    result.events.append(.value(.integer(sum)))
  }

  /// Deletes a realised instance. Its deletion propagates later (RL-10). §delete-object
  mutating func delete(_ slot: Int, in context: ContextID) {
    assert(!isFault(slot, in: context), "slot \(slot) is deleted before it is fired")
    let id = contexts[context.index].objects[slot].id
    result.events.append(.hook(.prepareForDeletion, context, id))
    _ = callCode(.prepareForDeletion, id, in: context)
    // §delete-object.2 (LC-13)
    guard !contexts[context.index].objects[slot].isPendingDeletion else { return }
    markDeleted(slot, in: context)
  }

  /// Marks an instance as deleted; the deletion will propagate. §mark-deleted
  mutating func markDeleted(_ slot: Int, in context: ContextID) {
    assert(
      bugs.contains(.skipsPropagation) || !contexts[context.index].unpropagated.contains(slot),
      "slot \(slot) is to propagate already")
    takeAway(slot, in: context)
    contexts[context.index].unpropagated.append(slot)
    assert(isPendingDeletion(slot, in: context), "slot \(slot) is not deleted")
  }

  /// Marks an instance as deleted, or as discarded if it was never saved. Nothing propagates.
  /// §mark-deleted
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
    // §mark-deleted.4 (CT-09)
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
