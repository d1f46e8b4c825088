import ObjectModel
import Vocabulary

/// Predicates as trees: which values they see.
extension World {
  /// Whether `tree` holds for an object, or there is none.
  func holds(_ tree: PredicateTree?, _ id: ObjectID, in view: (some PredicateView)?) -> Bool {
    guard let tree, let view else { return true }
    return tree.matches(id, in: view)
  }
}

/// What the rows of the stores have: a fetch asks the stores for what is not changed (FE-01).
struct StoredPredicateView: PredicateView {
  let world: World
  let context: ContextID

  var order: ValueOrder { world.valueOrder }

  func value(of id: ObjectID, _ property: PropertyID) -> Value {
    let shape = world.shapes[id.entity.index][property.index]
    return row(id)?.values[shape.slot] ?? .null
  }

  func members(of id: ObjectID, _ property: PropertyID) -> [ObjectID] {
    let shape = world.shapes[id.entity.index][property.index]
    return row(id)?.collections[shape.slot] ?? []
  }

  private func row(_ id: ObjectID) -> Row? { world.attachedRow(world.row(of: id), for: context) }

  func isToMany(_ property: PropertyID, of entity: EntityID) -> Bool {
    world.shapes[entity.index][property.index].kind == .toMany
  }

  func id(of held: HeldInstance) -> ObjectID? { world.heldID(held.context, held.name) }

  func isSame(_ a: ObjectID, _ b: ObjectID) -> Bool { world.row(of: a) == world.row(of: b) }
}

/// What a context shows: changes of the app count before they are saved.
struct ShownPredicateView: PredicateView {
  let world: World
  let context: ContextID

  var order: ValueOrder { world.valueOrder }

  func value(of id: ObjectID, _ property: PropertyID) -> Value {
    let shape = world.shapes[id.entity.index][property.index]
    return world.visibleValues(of: id, in: context)[shape.slot]
  }

  func members(of id: ObjectID, _ property: PropertyID) -> [ObjectID] {
    members(of: id, property, in: context)
  }

  private func members(
    of id: ObjectID, _ property: PropertyID, in context: ContextID
  ) -> [ObjectID] {
    let shape = world.shapes[id.entity.index][property.index]
    if let slot = world.lookup(id, in: context) {
      let object = world.contexts[context.index].objects[slot]
      if !object.isFault, !object.unfired.contains(property.index) {
        return object.current.collections[shape.slot]
      }
      if object.flags.contains(.inserted) { return [] }
    }
    if let parent = world.contexts[context.index].parent {
      return members(of: id, property, in: parent)
    }
    return world.attachedRow(world.row(of: id), for: context)?.collections[shape.slot] ?? []
  }

  func isToMany(_ property: PropertyID, of entity: EntityID) -> Bool {
    world.shapes[entity.index][property.index].kind == .toMany
  }

  func id(of held: HeldInstance) -> ObjectID? { world.heldID(held.context, held.name) }

  func isSame(_ a: ObjectID, _ b: ObjectID) -> Bool { world.row(of: a) == world.row(of: b) }
}
