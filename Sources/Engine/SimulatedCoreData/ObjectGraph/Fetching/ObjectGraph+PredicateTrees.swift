import ObjectModel
import Vocabulary

/// Predicates as trees, and the values on which they are evaluated.
extension ObjectGraph {
  /// Decides whether `tree` holds for an object. A missing tree holds.
  func holds(_ tree: PredicateTree?, _ id: ObjectID, in view: PredicateView?) -> Bool {
    guard let tree, let view else { return true }
    return tree.matches(id, in: view)
  }

  /// Returns a view for `tree`, or `nil` without a tree, which is the usual case. A view costs a
  /// copy of the graph's parts.
  func predicateView(
    _ place: PredicateView.Place, of context: ContextID, for tree: PredicateTree?,
    byRow: Bool = false
  ) -> PredicateView? {
    guard tree != nil else { return nil }
    return PredicateView(self, place, of: context, byRow: byRow)
  }
}

/// The part of the graph on which a predicate is evaluated.
struct PredicateView {
  enum Place {
    /// The rows of the stores. A fetch evaluates unchanged objects there (FE-01).
    case stores
    /// The objects that the context shows, including unsaved changes.
    case context
  }

  let graph: ObjectGraph
  let context: ContextID
  let place: Place
  /// A Boolean value that indicates whether IDs may be compared exactly. False for batch requests
  /// and lists, which examine rows.
  let comparesIDs: Bool

  init(_ graph: ObjectGraph, _ place: Place, of context: ContextID, byRow: Bool = false) {
    (self.graph, self.context, self.place) = (graph, context, place)
    comparesIDs = !byRow
  }

  var order: ValueOrder { graph.valueOrder }

  func value(of id: ObjectID, _ property: PropertyID) -> Value {
    let slot = graph.shapes[id.entity.index][property.index].slot
    return switch place {
    case .stores: row(id)?.values[slot] ?? .null
    case .context: graph.visibleValues(of: id, in: context)[slot]
    }
  }

  /// Finds the members of a to-many relationship in this place. §shown-members
  func members(of id: ObjectID, _ property: PropertyID) -> [ObjectID] {
    let slot = graph.shapes[id.entity.index][property.index].slot
    var level: ContextID? = place == .context ? context : nil
    while let current = level {
      if let known = graph.lookup(id, in: current) {
        let object = graph.contexts[current.index].objects[known]
        if !object.isFault, !object.unfired.contains(property.index) {
          return object.current.collections[slot]
        }
        if object.flags.contains(.inserted) { return [] }
      }
      level = graph.contexts[current.index].parent
    }
    return row(id)?.collections[slot] ?? []
  }

  private func row(_ id: ObjectID) -> Row? { graph.attachedRow(graph.row(of: id), for: context) }

  func isToMany(_ property: PropertyID, of entity: EntityID) -> Bool {
    graph.shapes[entity.index][property.index].kind == .toMany
  }

  /// Decides whether a key path leads over a to-many relationship after its first key.
  func isMany(
    _ path: ArraySlice<PropertyID>, from property: PropertyID, of entity: EntityID
  ) -> Bool {
    var entity = graph.shapes[entity.index][property.index].destination
    for next in path {
      if isToMany(next, of: entity) { return true }
      entity = graph.shapes[entity.index][next.index].destination
    }
    return false
  }

  func id(of held: HeldInstance) -> ObjectID? { graph.heldID(held.context, held.name) }

  /// Compares two object IDs. If a row may have two instances, compares exact IDs, because a row
  /// contains no temporary ID (ID-18). §same-object
  func isSame(_ a: ObjectID, _ b: ObjectID) -> Bool {
    if comparesIDs, graph.quirks.contains(.rowHasTwoInstances) { return a == b }
    return graph.row(of: a) == graph.row(of: b)
  }
}
