import ObjectModel
import Vocabulary

/// Predicates as trees: which values they see.
extension World {
  /// Whether `tree` holds for an object, or there is none.
  func holds(_ tree: PredicateTree?, _ id: ObjectID, in view: WorldPredicateView?) -> Bool {
    guard let tree, let view else { return true }
    return tree.matches(id, in: view)
  }

  /// Nil without a tree, which is what mostly is asked: a view costs a copy of the world's parts.
  func predicateView(
    _ place: WorldPredicateView.Place, of context: ContextID, for tree: PredicateTree?,
    byRow: Bool = false
  ) -> WorldPredicateView? {
    guard tree != nil else { return nil }
    return WorldPredicateView(self, place, of: context, byRow: byRow)
  }
}

/// What a predicate sees of the world.
struct WorldPredicateView {
  enum Place {
    /// The rows of the stores: a fetch asks the stores for what is not changed (FE-01).
    case stores
    /// What the context shows: changes of the app count before they are saved.
    case context
  }

  let world: World
  let context: ContextID
  let place: Place
  /// Not for batch requests and lists: these look at rows.
  let comparesIDs: Bool

  init(_ world: World, _ place: Place, of context: ContextID, byRow: Bool = false) {
    (self.world, self.context, self.place) = (world, context, place)
    comparesIDs = !byRow
  }

  var order: ValueOrder { world.valueOrder }

  func value(of id: ObjectID, _ property: PropertyID) -> Value {
    let slot = world.shapes[id.entity.index][property.index].slot
    return switch place {
    case .stores: row(id)?.values[slot] ?? .null
    case .context: world.visibleValues(of: id, in: context)[slot]
    }
  }

  func members(of id: ObjectID, _ property: PropertyID) -> [ObjectID] {
    let slot = world.shapes[id.entity.index][property.index].slot
    var level: ContextID? = place == .context ? context : nil
    while let current = level {
      if let known = world.lookup(id, in: current) {
        let object = world.contexts[current.index].objects[known]
        if !object.isFault, !object.unfired.contains(property.index) {
          return object.current.collections[slot]
        }
        if object.flags.contains(.inserted) { return [] }
      }
      level = world.contexts[current.index].parent
    }
    return row(id)?.collections[slot] ?? []
  }

  private func row(_ id: ObjectID) -> Row? { world.attachedRow(world.row(of: id), for: context) }

  func isToMany(_ property: PropertyID, of entity: EntityID) -> Bool {
    world.shapes[entity.index][property.index].kind == .toMany
  }

  /// Whether what follows a relationship leads over a to-many one.
  func isMany(
    _ path: ArraySlice<PropertyID>, from property: PropertyID, of entity: EntityID
  ) -> Bool {
    var entity = world.shapes[entity.index][property.index].destination
    for next in path {
      if isToMany(next, of: entity) { return true }
      entity = world.shapes[entity.index][next.index].destination
    }
    return false
  }

  func id(of held: HeldInstance) -> ObjectID? { world.heldID(held.context, held.name) }

  /// Whether two IDs are of one object. Where a row may have two instances, IDs are compared as
  /// they are: a temporary one is in no row (ID-18).
  func isSame(_ a: ObjectID, _ b: ObjectID) -> Bool {
    if comparesIDs, world.quirks.contains(.rowHasTwoInstances) { return a == b }
    return world.row(of: a) == world.row(of: b)
  }
}
