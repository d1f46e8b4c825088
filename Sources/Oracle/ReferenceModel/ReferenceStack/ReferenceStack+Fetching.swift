import ObjectModel
import Vocabulary

/// A fetch request with resolved names.
struct Query {
  struct Condition {
    var slot: Int
    var relation: Comparison.Relation
    var value: Value
    /// True if `value` is an object, which is compared by its row.
    var comparesRows: Bool
  }

  var request: FetchRequest
  var conditions: [Condition]
}

/// Fetches. Each level overlays its changes on the results of the level above (FE-01, FE-11).
extension ReferenceStack {
  /// Resolves the names of a request.
  func query(_ request: FetchRequest) -> Query {
    // §same-object.2: a leftover temporary ID matches no row (ID-18).
    Query(
      request: request,
      conditions: conditions(
        request.predicate, of: request.entity, comparingRows: !rowHasTwoInstances))
  }

  /// Resolves the objects that `predicate` names. An unbound name means nil. §match.1.2
  func conditions(
    _ predicate: [Comparison], of entity: EntityID, comparingRows: Bool
  ) -> [Query.Condition] {
    var conditions: [Query.Condition] = []
    for comparison in predicate {
      let slot = shapes[entity.index].properties[comparison.property.index].slot
      switch comparison.operand {
      case .value(let value):
        conditions.append(
          Query.Condition(
            slot: slot, relation: comparison.relation, value: value, comparesRows: false))
      case .object(let reference):
        let id = contexts[reference.context.index].binding(reference.name)?.id
        let called = comparingRows ? id.map { row($0) } : id
        conditions.append(
          Query.Condition(
            slot: slot, relation: comparison.relation,
            value: called.map { .object($0) } ?? .null, comparesRows: comparingRows))
      }
    }
    return conditions
  }

  /// Executes a fetch request. §execute-fetch
  mutating func execute(_ request: FetchRequest, in c: ContextID) {
    let query = query(request)
    switch request.resultType {
    case .managedObject:
      let found = fetch(query, in: c)
      if !request.returnsObjectsAsFaults {
        for x in found { _ = fire(x, in: c) }
      }
      if holdsResults { for id in found { bindUnderItsName(id, in: c) } }
      events.append(.objects(found))
    // §fetch-ids
    case .managedObjectID: events.append(.objectIDs(fetch(query, in: c)))
    // §fetch-dictionaries
    case .dictionary where request.summarizes:
      var whole = query
      (whole.request.fetchOffset, whole.request.fetchLimit) = (0, 0)
      let rows = window(whole, under: contexts[c.index].coordinator)
      events.append(summary(of: rows, request))
    case .dictionary:
      let properties = propertiesToFetch(request)
      let rows = window(query, under: contexts[c.index].coordinator).map { row in
        properties.map {
          PropertyValue($0, row.snapshot.values[shape(of: $0.index, of: row.id).slot])
        }
      }
      events.append(.dictionaries(request.entity, rows))
    case .count: count(request, in: c)
    }
  }

  /// Counts objects. A count needs no values and fires nothing (FE-08). §count
  mutating func count(_ request: FetchRequest, in c: ContextID) {
    var request = request
    request.resultType = .managedObject
    events.append(.count(fetch(query(request), in: c).count))
  }

  /// Returns the properties of a dictionary. A request without named properties means all
  /// persistent attributes (FP-A4). §fetch-dictionaries.3, §summarize.1
  func propertiesToFetch(_ request: FetchRequest) -> [PropertyID] {
    let entity = model[request.entity]
    return entity.propertyIDs.filter {
      request.propertiesToFetch.isEmpty && request.aggregates.isEmpty
        ? entity[$0].attribute != nil && !entity[$0].isTransient
        : request.propertiesToFetch.contains($0)
    }
  }

  /// Fetches the IDs of the results, and fires nothing. Registers results that are objects here and
  /// above, but not results that are IDs (FE-16). §fetch, §fetch-ids
  mutating func fetch(_ query: Query, in c: ContextID) -> [ObjectID] {
    let below =
      if let parent = contexts[c.index].parent {
        fetch(query, in: parent)
      } else {
        fetchRows(query, under: contexts[c.index].coordinator)
      }
    var found: [ObjectID] = []
    for id in below {
      let x = asFetched(id, in: c)
      if !found.contains(x) { found.append(x) }
    }
    if query.request.includesPendingChanges {
      let pending = pending(in: c, where: \.isPending)
      overlay(pending, on: &found, by: query, in: c)
    }
    assert(found.hasNoDuplicates, "a fetch finds an object twice")
    return query.request.resultType == .managedObjectID ? found : found.map { reach($0, in: c) }
  }

  /// Converts a found ID for `c`. If a row has two instances, a fetch returns the instance with the
  /// temporary ID (ID-17). §found-ids
  private func asFetched(_ id: ObjectID, in c: ContextID) -> ObjectID {
    // §found-ids.2.2
    if rowHasTwoInstances, !contexts[c.index].isRoot, let t = temporaryID(of: row(id)),
      contexts[c.index].instances.contains(t)
    {
      return t
    }
    return localize(id, in: c)
  }

  /// Fetches rows and fills the row cache with them. §fill-row-cache
  private mutating func fetchRows(
    _ query: Query, under coordinator: CoordinatorID
  ) -> [ObjectID] {
    let rows = window(query, under: coordinator)
    for row in rows {
      let cached = rowCaches[coordinator.index][row.id]?.snapshot.version ?? 0
      if cached < row.snapshot.version { cache(row, under: coordinator) }
    }
    return rows.map(\.id)
  }

  /// Fetches the stored rows of a query, sorted and cut. §fetch-rows
  private func window(_ query: Query, under coordinator: CoordinatorID) -> [Row] {
    var rows: [Row] = []
    for store in coordinators[coordinator.index].stores
    where query.request.affectedStores?.contains(store) ?? true {
      for id in stores[store.index].rows.ids
      where isOfEntity(id, query.request) && matches(self[row: id].values, query.conditions)
        && holds(
          query.request.tree, id, storedUnder: coordinator, comparingRows: !rowHasTwoInstances)
      {
        rows.append(Row(id: id, snapshot: self[row: id]))
      }
    }
    let wanted = sorting(of: query.request)
    if query.request.sortsByKeyPaths {
      let keys = rows.map { row in
        sortKeys(of: row.id, query.request) { x in
          storedRow(self.row(x), under: coordinator)?.snapshot.values
        }
      }
      rows = inOrder(of: query.request, rows, keys) { $0.id }
    } else if rows.count > 1 {
      rows.sort { wanted.precedes(($0.id, $0.snapshot.values), ($1.id, $1.snapshot.values)) }
    }
    if query.request.fetchOffset > 0 { rows = Array(rows.dropFirst(query.request.fetchOffset)) }
    return query.request.fetchLimit > 0 ? Array(rows.prefix(query.request.fetchLimit)) : rows
  }

  /// Returns true if a pending change in `c` removes `id` from the found IDs. §overlay.4
  private func isOverlaid(_ id: ObjectID, by query: Query, in c: ContextID) -> Bool {
    guard contexts[c.index].instances.contains(id) else { return false }
    let isEdited = self[c, id].isUpdated || self[c, id].isInserted
    return self[c, id].isRemoved || isEdited && !isFound(id, by: query, in: c)
  }

  /// Returns true if the shown values of `id` in `c` meet the conditions. §overlay.4.2
  private func isFound(_ id: ObjectID, by query: Query, in c: ContextID) -> Bool {
    matches(values(of: id, in: c), query.conditions) && holds(query.request.tree, id, shownIn: c)
  }

  /// Overlays pending changes of `c` on the found IDs. §overlay
  private func overlay(
    _ pending: [ObjectID], on found: inout [ObjectID], by query: Query, in c: ContextID
  ) {
    let pending = pending.filter {
      isOfEntity($0, query.request) && isInAffectedStore($0, query.request, c)
    }
    guard !pending.isEmpty else { return }
    found.removeAll { isOverlaid($0, by: query, in: c) }
    for id in pending
    where !self[c, id].isRemoved && !found.contains(id) && isFound(id, by: query, in: c) {
      found.append(id)
    }
    // §overlay.5: IDs are not sorted again (FE-05).
    if !query.request.sortDescriptors.isEmpty, query.request.resultType != .managedObjectID {
      if query.request.sortsByKeyPaths {
        let keys = found.map { sortKeys(of: $0, query.request) { x in values(of: x, in: c) } }
        found = inOrder(of: query.request, found, keys) { $0 }
      } else {
        var keyed = found.map { ($0, values(of: $0, in: c)) }
        let wanted = sorting(of: query.request)
        keyed.sort { wanted.precedes($0, $1) }
        found = keyed.map(\.0)
      }
    }
    // §overlay.6: the offset was applied to stored values (FE-06).
    if query.request.fetchLimit > 0 { found = Array(found.prefix(query.request.fetchLimit)) }
  }

  /// Looks up the values that `c` shows of an object, without registering or firing. §shown-values
  func values(of id: ObjectID, in c: ContextID) -> [Value] {
    if let x = lookup(id, in: c) {
      if !self[c, x].isFault { return self[c, x].values }
      if self[c, x].isInserted { return shapes[x.entity.index].defaults.values }
    }
    if let parent = contexts[c.index].parent { return values(of: id, in: parent) }
    let row = row(id)
    if let cached = rowCaches[contexts[c.index].coordinator.index][row] {
      return cached.snapshot.values
    }
    if let stored = storedRow(row, under: contexts[c.index].coordinator) {
      return stored.snapshot.values
    }
    return Array(repeating: .null, count: shapes[id.entity.index].defaults.values.count)
  }

  /// Returns true if the request takes the entity of `id`.
  func isOfEntity(_ id: ObjectID, _ request: FetchRequest) -> Bool {
    request.includesSubentities
      ? model.entity(id.entity, inherits: request.entity) : id.entity == request.entity
  }

  /// Returns true if the request takes the store of `id`. For an unsaved object, this is its future
  /// store (FE-20). §overlay.2
  func isInAffectedStore(_ id: ObjectID, _ request: FetchRequest, _ c: ContextID) -> Bool {
    guard let affected = request.affectedStores else { return true }
    return store(of: id, under: c).map { affected.contains($0) } ?? false
  }

  /// Matches values with the comparisons of a request. §match
  func matches(_ values: [Value], _ conditions: [Query.Condition]) -> Bool {
    conditions.allSatisfy { condition in
      var value = values[condition.slot]
      if condition.comparesRows, let id = value.objectID { value = .object(row(id)) }
      return switch condition.relation {
      case .equal: value == condition.value
      case .notEqual: value != condition.value
      case .less:
        !value.isNull && !condition.value.isNull && order.precedes(value, condition.value)
      case .greater:
        !value.isNull && !condition.value.isNull && order.precedes(condition.value, value)
      }
    }
  }

  /// The parts of the stack that sorting needs. A closure that captures the stack copies it each
  /// time. §sort-results
  private struct Sorting {
    let descriptors: [FetchRequest.SortDescriptor]
    let shapes: [EntityShape]
    let order: ValueOrder

    func precedes(
      _ a: (id: ObjectID, values: [Value]), _ b: (id: ObjectID, values: [Value])
    ) -> Bool {
      for descriptor in descriptors {
        let valueA = a.values[slot(of: descriptor.property, of: a.id)]
        let valueB = b.values[slot(of: descriptor.property, of: b.id)]
        if order.precedes(valueA, valueB) { return descriptor.ascending }
        if order.precedes(valueB, valueA) { return !descriptor.ascending }
      }
      return a.id < b.id
    }

    private func slot(of property: PropertyID, of id: ObjectID) -> Int {
      shapes[id.entity.index].properties[property.index].slot
    }
  }

  private func sorting(of request: FetchRequest) -> Sorting {
    Sorting(descriptors: request.sortDescriptors, shapes: shapes, order: order)
  }
}
