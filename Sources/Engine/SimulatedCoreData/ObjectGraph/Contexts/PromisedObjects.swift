package import ObjectModel
package import Vocabulary

/// The objects that a claim about data concerns: in the stores, in a context, or visible from a
/// context.
package struct PromisedObjects {
  private enum Sight {
    case place(DataClaim.Place)
    /// The objects that a fetch in the context finds: the rows, with the changes of the context and
    /// its ancestors.
    case fetches(ContextID)
  }

  private let graph: ObjectGraph
  private let sight: Sight

  package init(_ graph: ObjectGraph, in place: DataClaim.Place) {
    (self.graph, sight) = (graph, .place(place))
  }

  /// Creates the objects as the stores would contain them if the context saved now, as far as the
  /// context knows.
  package init(_ graph: ObjectGraph, seenFrom context: ContextID) {
    (self.graph, sight) = (graph, .fetches(context))
  }

  /// Returns the objects that count for `claim`, in the order of their IDs.
  ///
  /// - Complexity: Examines every row of the entity, or every object registered in the context.
  package func objects(of claim: DataClaim) -> [ObjectID] {
    allObjects(of: claim.entity).filter { id in
      claim.condition.map { holds($0, for: id) } ?? true
    }
  }

  /// Decides whether a predicate holds for an object.
  package func holds(_ predicate: PredicateTree, for id: ObjectID) -> Bool {
    view(of: id).map { predicate.matches(id, in: $0) } ?? true
  }

  package func value(of property: PropertyID, of id: ObjectID) -> Value {
    let slot = graph.slot(of: property, in: id.entity)
    return switch sight {
    case .place(.stores): graph.storedValues(of: id)?[slot] ?? .null
    case .place(.context(let context)), .fetches(let context):
      graph.visibleValues(of: id, in: context)[slot]
    }
  }

  /// Returns the members of a to-many relationship that are not deleted, or `nil` for another
  /// property. An unfired relationship has the stored members.
  package func members(of property: PropertyID, of id: ObjectID) -> [ObjectID]? {
    guard graph.model[id.entity][property].isToMany else { return nil }
    let slot = graph.slot(of: property, in: id.entity)
    return switch sight {
    case .place(.stores): graph.storedMembers(of: id, slot: slot)
    case .place(.context(let context)), .fetches(let context):
      members(of: property, slot, of: id, seenFrom: context)
    }
  }

  private func members(
    of property: PropertyID, _ slot: Int, of id: ObjectID, seenFrom context: ContextID
  ) -> [ObjectID] {
    let levels = graph.setting.stack.chain(from: context)
    func isDeleted(_ member: ObjectID) -> Bool {
      levels.contains { graph.inspect(member, in: $0)?.isPendingDeletion == true }
    }
    for level in levels {
      guard let instance = graph.inspect(id, in: level), !instance.view.isFault,
        !instance.isUnfired(property)
      else { continue }
      return instance.view.collections[slot].filter { !isDeleted($0) }
    }
    return graph.storedMembers(of: id, slot: slot).filter { !isDeleted($0) }
  }

  /// Returns the value that identifies an object for a property. Equal numbers have the same key,
  /// and so do all IDs of an object.
  package func key(of property: PropertyID, of id: ObjectID) -> Value {
    switch value(of: property, of: id) {
    case .object(let destination): return .object(graph.row(of: destination))
    case .decimal(var significand, var exponent):
      while significand != 0, significand % 10 == 0, exponent < .max {
        (significand, exponent) = (significand / 10, exponent + 1)
      }
      return .decimal(significand: significand, exponent: significand == 0 ? 0 : exponent)
    case let value: return value
    }
  }

  /// Returns the sum of values, and how it compares with `other`.
  package func sum(
    of values: [Value], comparedWith other: Value
  ) -> (sum: Value, isLess: Bool, isEqual: Bool) {
    let sum = Aggregate.Function.sum.value(of: values, graph.valueOrder)
    return (sum, sum.amount < other.amount, sum.amount == other.amount)
  }

  private func allObjects(of entity: EntityID) -> [ObjectID] {
    switch sight {
    case .place(.stores):
      graph.stores.indices.flatMap { store -> [ObjectID] in
        let ids = storedObjects(of: entity, in: store)
        // A store that was removed is out of reach.
        return ids.first.flatMap(view) == nil ? [] : ids
      }
    case .place(.context(let context)):
      graph.registeredIDs(in: context).filter { id in
        guard graph.model.entity(id.entity, inherits: entity),
          let instance = graph.inspect(exactly: id, in: context)
        else { return false }
        return !instance.isPendingDeletion && (!instance.view.isFault || hasValues(id, in: context))
      }
    case .fetches(let context): visibleObjects(of: entity, from: context)
    }
  }

  /// Returns a Boolean value that indicates whether a fault would load values: an ancestor has the
  /// object, or the row cache or a store has its row.
  private func hasValues(_ id: ObjectID, in context: ContextID) -> Bool {
    for level in graph.setting.stack.chain(from: context).dropFirst() {
      guard let instance = graph.inspect(id, in: level), !instance.view.isFault else { continue }
      return !instance.isPendingDeletion
    }
    let row = graph.row(of: id)
    let coordinator = graph.contexts[context.index].coordinator
    return graph.coordinators[coordinator.index][row] != nil
      || graph.attachedRow(row, for: context) != nil
  }

  private func storedObjects(of entity: EntityID, in store: Int) -> [ObjectID] {
    graph.stores[store].ids.filter { graph.model.entity($0.entity, inherits: entity) }
  }

  private func visibleObjects(of entity: EntityID, from context: ContextID) -> [ObjectID] {
    let levels = graph.setting.stack.chain(from: context)
    let rows = graph.stores.indices.flatMap { store in
      storedObjects(of: entity, in: store).filter { id in
        graph.isReachable(id, from: context)
          && !levels.contains { graph.inspect(id, in: $0)?.isPendingDeletion == true }
      }
    }
    var insertions: [ObjectID] = []
    for level in levels {
      for id in graph.registeredIDs(in: level)
      where graph.model.entity(id.entity, inherits: entity) {
        guard let instance = graph.inspect(exactly: id, in: level), instance.view.isInserted,
          !instance.isPendingDeletion,
          !insertions.contains(where: { graph.row(of: $0) == graph.row(of: id) })
        else { continue }
        insertions.append(id)
      }
    }
    return rows + insertions
  }

  /// Returns `nil` if no context can reach the row.
  private func view(of id: ObjectID) -> PredicateView? {
    switch sight {
    case .place(.context(let context)), .fetches(let context):
      PredicateView(graph, .context, of: context)
    case .place(.stores):
      (0..<graph.contextCount).map { ContextID($0) }
        .first { graph.isReachable(id, from: $0) }
        .map { PredicateView(graph, .stores, of: $0, byRow: true) }
    }
  }
}
