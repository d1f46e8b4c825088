import ObjectModel
import Vocabulary

/// A fetch request whose names have been looked up.
struct Query {
  struct Condition {
    var slot: Int
    var relation: Comparison.Relation
    var value: Value
    /// `value` is an object, whatever it is called.
    var comparesRows: Bool
  }

  var request: FetchRequest
  var conditions: [Condition]
}

/// Each level overlays its own changes on what the level above finds (FE-01, FE-11).
extension ReferenceStack {
  /// `request` with the objects that its predicate names; a name that is not bound is nil.
  func query(_ request: FetchRequest) -> Query {
    var conditions: [Query.Condition] = []
    for comparison in request.predicate {
      let slot = shapes[request.entity.index].properties[comparison.property.index].slot
      switch comparison.operand {
      case .value(let value):
        conditions.append(
          Query.Condition(
            slot: slot, relation: comparison.relation, value: value, comparesRows: false))
      case .object(let reference):
        let id = contexts[reference.context.index].binding(reference.name)?.id
        // ID-18: a leftover temporary ID matches no row.
        let called = rowHasTwoInstances ? id : id.map { row($0) }
        conditions.append(
          Query.Condition(
            slot: slot, relation: comparison.relation,
            value: called.map { .object($0) } ?? .null, comparesRows: !rowHasTwoInstances))
      }
    }
    return Query(request: request, conditions: conditions)
  }

  /// The IDs of what `query` finds, registered here and above, fired nowhere.
  mutating func fetch(_ query: Query, in c: ContextID) -> [ObjectID] {
    let request = query.request
    var found: [ObjectID]
    if let parent = contexts[c.index].parent {
      found = fetch(query, in: parent)
    } else {
      found = fetchRows(query, under: contexts[c.index].coordinator)
    }
    let below = found
    found = []
    for id in below.map({ asFetched($0, in: c) }) where !found.contains(id) { found.append(id) }
    if request.includesPendingChanges { overlay(query, on: &found, in: c) }
    return found.map { reach($0, in: c) }
  }

  /// ID-17: of two instances for one row, a fetch knows the one with the temporary ID.
  private func asFetched(_ id: ObjectID, in c: ContextID) -> ObjectID {
    if rowHasTwoInstances, !contexts[c.index].isRoot, let t = temporaryID(of: row(id)),
      contexts[c.index].instances.contains(t)
    {
      return t
    }
    return localize(id, in: c)
  }

  private mutating func fetchRows(
    _ query: Query, under coordinator: CoordinatorID
  ) -> [ObjectID] {
    let request = query.request
    var rows: [Row] = []
    for store in stack.coordinators[coordinator.index].stores {
      rows += stores[store.index].rows.elements.filter {
        isOf(request.entity, $0.id) && matches($0.snapshot.values, query)
      }
    }
    rows.sort { a, b in
      precedes((a.id, a.snapshot.values), (b.id, b.snapshot.values), request.sortDescriptors)
    }
    rows = Array(rows.dropFirst(request.fetchOffset))
    if request.fetchLimit > 0 { rows = Array(rows.prefix(request.fetchLimit)) }
    for row in rows {
      let cached = rowCaches[coordinator.index][row.id]?.snapshot.version ?? 0
      if cached < row.snapshot.version { cache(row, under: coordinator) }
    }
    return rows.map(\.id)
  }

  private func overlay(_ query: Query, on found: inout [ObjectID], in c: ContextID) {
    let request = query.request
    let pending = contexts[c.index].instances.elements.filter {
      $0.isPending && isOf(request.entity, $0.id)
    }
    guard !pending.isEmpty else { return }
    found.removeAll { id in
      guard let instance = contexts[c.index].instances[id] else { return false }
      return instance.isRemoved || instance.isUpdated && !matches(values(of: id, in: c), query)
    }
    for instance in pending
    where !instance.isRemoved && !found.contains(instance.id)
      && matches(values(of: instance.id, in: c), query)
    {
      found.append(instance.id)
    }
    if !request.sortDescriptors.isEmpty {
      var keyed = found.map { ($0, values(of: $0, in: c)) }
      keyed.sort { precedes($0, $1, request.sortDescriptors) }
      found = keyed.map(\.0)
    }
    // FE-06: the offset has been applied below, to saved values.
    if request.fetchLimit > 0 { found = Array(found.prefix(request.fetchLimit)) }
  }

  /// What `id` shows in `c`, without registering or firing anything.
  private func values(of id: ObjectID, in c: ContextID) -> [Value] {
    if let x = lookup(id, in: c) {
      if !self[c, x].isFault { return self[c, x].values }
      if self[c, x].isInserted { return shapes[x.entity.index].defaults.values }
    }
    if let parent = contexts[c.index].parent { return values(of: id, in: parent) }
    let row = row(id)
    if let cached = rowCaches[contexts[c.index].coordinator.index][row] {
      return cached.snapshot.values
    }
    if let stored = row.store.flatMap({ stores[$0.index].rows[row] }) {
      return stored.snapshot.values
    }
    return Array(repeating: .null, count: shapes[id.entity.index].defaults.values.count)
  }

  private func isOf(_ entity: EntityID, _ id: ObjectID) -> Bool {
    id.entity == entity || model.entity(id.entity, inherits: entity)
  }

  private func matches(_ values: [Value], _ query: Query) -> Bool {
    query.conditions.allSatisfy { condition in
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

  private func precedes(
    _ a: (id: ObjectID, values: [Value]), _ b: (id: ObjectID, values: [Value]),
    _ descriptors: [FetchRequest.SortDescriptor]
  ) -> Bool {
    for descriptor in descriptors {
      let slotA = shape(of: descriptor.property.index, of: a.id).slot
      let slotB = shape(of: descriptor.property.index, of: b.id).slot
      if order.precedes(a.values[slotA], b.values[slotB]) { return descriptor.ascending }
      if order.precedes(b.values[slotB], a.values[slotA]) { return !descriptor.ascending }
    }
    return a.id < b.id
  }
}
