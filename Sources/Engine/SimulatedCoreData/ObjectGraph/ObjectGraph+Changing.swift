import ObjectModel
import Vocabulary

/// Insertions, settings of values and deletions, which make a context dirty.
extension ObjectGraph {
  /// Inserts an object, binds `name` to it, and awakens it. §insert-object
  mutating func insert(_ entity: EntityID, as name: ObjectName?, in context: ContextID) -> Int {
    let id = makeTemporaryID(for: entity, in: context, name: name)
    let slot = register(.inserted(id, showing: defaults(of: entity)), in: context)
    contexts[context.index].hasReports = true
    if let name { contexts[context.index].bind(name, to: slot) }
    awakeFromInsert(slot, in: context)
    assert(contexts[context.index].contains(slot), "\(id) has left while it was inserted")
    return slot
  }

  /// Increments an attribute without interruption, as `note.views += 1` does. The greatest value of
  /// the type stays unchanged. §increment
  mutating func increment(
    _ property: PropertyID, of slot: Int, by amount: Int64, in context: ContextID
  ) {
    let object = contexts[context.index].objects[slot]
    assert(!object.isFault, "a property of a fault is incremented")
    let shape = shapes[object.id.entity.index][property.index]
    let type = model.entities[object.id.entity.index].properties[property.index].attribute?.type
    var sum = amount
    if case .integer(let number) = object.current.values[shape.slot] {
      // §increment.4
      let greatest = type?.greatestInteger ?? .max
      let (total, overflows) = number.addingReportingOverflow(amount)
      sum = overflows || total > greatest || total < -greatest - 1 ? number : total
    }
    contexts[context.index].set(property, of: slot, to: .integer(sum), by: setting)
    result.events.append(.value(.integer(sum)))
  }

  /// Deletes a realised instance. The deletion propagates later (RL-10). §delete-object
  mutating func delete(_ slot: Int, in context: ContextID) {
    assert(!contexts[context.index].isFault(slot), "slot \(slot) is deleted before it is fired")
    let id = contexts[context.index].id(of: slot)
    result.events.append(.hook(.prepareForDeletion, context, id))
    _ = callCode(.prepareForDeletion, id, in: context)
    // §delete-object.2 (LC-13)
    guard !contexts[context.index].isPendingDeletion(slot) else { return }
    contexts[context.index].markDeleted(slot, by: setting)
  }

}
