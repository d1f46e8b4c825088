import ObjectModel
import Vocabulary

/// What preconditions and postconditions say of an instance.
extension ObjectGraph {
  func isRegistered(_ slot: Int, in context: ContextID) -> Bool {
    contexts[context.index].contains(slot)
  }

  func isFault(_ slot: Int, in context: ContextID) -> Bool {
    contexts[context.index].objects[slot].isFault
  }

  func isPendingDeletion(_ slot: Int, in context: ContextID) -> Bool {
    contexts[context.index].objects[slot].isPendingDeletion
  }

  /// Whether the instance has one of `flags`.
  func has(_ flags: ManagedObject.Flags, _ slot: Int, in context: ContextID) -> Bool {
    !contexts[context.index].objects[slot].flags.isDisjoint(with: flags)
  }

  func shape(of property: Int, _ slot: Int, in context: ContextID) -> PropertyShape {
    shapes[contexts[context.index].objects[slot].id.entity.index][property]
  }

  /// Whether there is a place for each value of the entity and, unless nil, each collection.
  func fits(_ values: [Value], _ collections: [[ObjectID]]?, _ entity: EntityID) -> Bool {
    values.count == model.entities[entity.index].valueCount
      && collections.map { $0.count == model.entities[entity.index].collectionCount } ?? true
  }
}
