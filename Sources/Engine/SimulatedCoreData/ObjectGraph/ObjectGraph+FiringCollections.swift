import ObjectModel
import Vocabulary

/// To-many relationships, which are separate faults and are fired when first used (RL-16, FR-A9).
///
/// While a collection is unfired, it is empty in the current and the base snapshot, so that a
/// comparison of the two finds no difference. Every change of a collection uses it first.
extension ObjectGraph {
  /// Uses a to-many relationship of a realised instance. Loads its members at the first use. §use
  ///
  /// Only the operations in §uses call this.
  mutating func use(_ property: Int, of slot: Int, in context: ContextID) {
    guard contexts[context.index].objects[slot].unfired.contains(property) else { return }
    fireCollection(property, of: slot, in: context)
  }

  /// Uses all to-many relationships of an instance, in property order. §committed-values.3
  mutating func useCollections(of slot: Int, in context: ContextID) {
    guard !contexts[context.index].objects[slot].unfired.isEmpty else { return }
    let entity = contexts[context.index].id(of: slot).entity
    for property in shapes[entity.index].indices { use(property, of: slot, in: context) }
  }

  private mutating func fireCollection(_ property: Int, of slot: Int, in context: ContextID) {
    assert(!contexts[context.index].isFault(slot), "a relationship of a fault is fired")
    assert(
      contexts[context.index].shape(of: property, slot, by: setting).kind == .toMany,
      "property \(property) is no to-many relationship")
    let c = context.index
    let id = contexts[c].id(of: slot)
    let collectionSlot = shapes[id.entity.index][property].slot
    let members = loadCollection(property, of: id, for: context) ?? []
    assert(
      contexts[c].objects[slot].current.collections[collectionSlot].isEmpty,
      "property \(property) of \(id) shows members before it is fired")
    contexts[c].objects[slot].unfired.remove(property)
    contexts[c].objects[slot].current.collections[collectionSlot] = members
    contexts[c].objects[slot].base.collections[collectionSlot] = members
    // §use.5
    if case .at(let start) = contexts[c].objects[slot].eventStart,
      contexts[c].eventStarts[start].unfired.contains(property)
    {
      contexts[c].eventStarts[start].unfired.remove(property)
      contexts[c].eventStarts[start].snapshot.collections[collectionSlot] = members
    }
    if isRootCopyOlder(slot, in: context) { marks.insert(.collectionIsNewer) }
  }

  private func isRootCopyOlder(_ slot: Int, in context: ContextID) -> Bool {
    let object = contexts[context.index].objects[slot]
    guard contexts[context.index].isRoot else { return false }
    let row = coordinators[contexts[context.index].coordinator.index][row(of: object.id)]
    return row.map { $0.version > object.version } ?? false
  }

  /// Loads the members of a to-many relationship, as `load` loads values. Does not load the
  /// members' values. Returns `nil` if the object is missing above. §load-collection
  mutating func loadCollection(
    _ property: Int, of id: ObjectID, for context: ContextID
  ) -> [ObjectID]? {
    if isStranger(id, in: context) { return nil }
    let shape = shapes[id.entity.index][property]
    assert(shape.kind == .toMany, "property \(property) of \(id) has no members")
    guard let parent = contexts[context.index].parent else {
      return takeRow(of: id, for: context).map {
        localized($0.collections[shape.slot], shape, in: context)
      }
    }
    guard let slot = source(of: id, in: parent) else { return nil }
    use(property, of: slot, in: parent)
    return localized(
      contexts[parent.index].objects[slot].current.collections[shape.slot], shape, in: context)
  }
}
