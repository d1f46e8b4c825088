import ObjectModel
import Vocabulary

/// Fetches: rows of the stores, overlaid with the pending changes of each context on the way down.
extension World {
  /// IDs of the results, registered in `context` and everywhere above it (FE-11).
  mutating func fetch(_ request: FetchRequest, in context: ContextID) -> [ObjectID] {
    let c = context.index
    let found =
      if let parent = contexts[c].parent { fetch(request, in: parent) } else {
        fetchRows(request, for: context)
      }
    var ids: [ObjectID] = []
    for id in found {
      let local = fetchedID(of: id, in: context)
      if !ids.contains(local) { ids.append(local) }
    }
    if request.includesPendingChanges { overlay(request, on: &ids, in: context) }
    for id in ids { _ = instance(id, in: context) }
    return ids
  }

  /// The ID that a result has here. Of two instances of its row the one that goes by the temporary ID
  /// is returned (ID-17).
  private func fetchedID(of id: ObjectID, in context: ContextID) -> ObjectID {
    if quirks.contains(.rowHasTwoInstances), !contexts[context.index].isRoot,
      let temporary = temporaryID(of: row(of: id)),
      contexts[context.index].slot(of: temporary) != nil
    {
      return temporary
    }
    return localized(id, in: context)
  }

  private mutating func fetchRows(_ request: FetchRequest, for context: ContextID) -> [ObjectID] {
    let coordinator = contexts[context.index].coordinator.index
    var matches: [Row] = []
    for store in coordinators[coordinator].stores {
      for id in stores[store.index].ids where model.entity(id.entity, inherits: request.entity) {
        guard let row = stores[store.index][id] else { continue }
        if self.matches(request, row.values, in: context) { matches.append(row) }
      }
    }
    matches.sort { precedes($0.values, $0.id, $1.values, $1.id, by: request) }
    matches = Array(matches.dropFirst(request.fetchOffset))
    if request.fetchLimit > 0 { matches = Array(matches.prefix(request.fetchLimit)) }
    for row in matches where coordinators[coordinator][row.id]?.version ?? 0 < row.version {
      coordinators[coordinator][row.id] = row
      coordinators[coordinator].checkReference(of: row.id)
    }
    return matches.map(\.id)
  }

  /// Membership by what the context shows, order too; of the window only the limit (FE-01, FE-06).
  private mutating func overlay(
    _ request: FetchRequest, on ids: inout [ObjectID], in context: ContextID
  ) {
    let objects = contexts[context.index].order.map { contexts[context.index].objects[$0] }
    let pending = objects.filter {
      !$0.flags.isDisjoint(with: .changes)
        && model.entity($0.id.entity, inherits: request.entity)
    }
    guard !pending.isEmpty else { return }
    for object in pending {
      if object.isDoomed {
        if !bugs.contains(.fetchReturnsDeleted) { ids.removeAll { $0 == object.id } }
        continue
      }
      let matches = matches(request, visibleValues(of: object.id, in: context), in: context)
      if !matches {
        ids.removeAll { $0 == object.id }
      } else if !ids.contains(object.id) {
        if object.flags.contains(.inserted), bugs.contains(.fetchMissesInsertions) { continue }
        ids.append(object.id)
      }
    }
    if !request.sortDescriptors.isEmpty {
      ids.sort { a, b in
        precedes(
          visibleValues(of: a, in: context), a, visibleValues(of: b, in: context), b, by: request)
      }
    }
    if request.fetchLimit > 0, !bugs.contains(.fetchLimitOnce) {
      ids = Array(ids.prefix(request.fetchLimit))
    }
  }

  /// What a context would show of an object, without registering or firing anything.
  private func visibleValues(of id: ObjectID, in context: ContextID) -> [Value] {
    if let slot = lookup(id, in: context) {
      let object = contexts[context.index].objects[slot]
      if !object.isFault { return object.current.values }
      if object.flags.contains(.inserted) {
        return model.entities[id.entity.index].defaultValues
      }
    }
    if let parent = contexts[context.index].parent { return visibleValues(of: id, in: parent) }
    let row = row(of: id)
    if let cached = coordinators[contexts[context.index].coordinator.index][row] {
      return cached.values
    }
    return row.store.flatMap { stores[$0.index][row]?.values }
      ?? Array(repeating: .null, count: model.entities[id.entity.index].valueCount)
  }

  private func matches(
    _ request: FetchRequest, _ values: [Value], in context: ContextID
  ) -> Bool {
    request.predicate.allSatisfy { comparison in
      let shape = shapes[request.entity.index][comparison.property.index]
      let value = values[shape.slot]
      switch comparison.operand {
      case .object(let reference):
        let wanted = heldID(reference.context, reference.name)
        return (isSameDestination(value.objectID, wanted)) == (comparison.relation == .equal)
      case .value(let operand):
        switch comparison.relation {
        case .equal: return value == operand
        case .notEqual: return value != operand
        case .less:
          return !value.isNull && !operand.isNull && valueOrder.order.precedes(value, operand)
        case .greater:
          return !value.isNull && !operand.isNull && valueOrder.order.precedes(operand, value)
        }
      }
    }
  }

  private func isSameDestination(_ a: ObjectID?, _ b: ObjectID?) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    return quirks.contains(.rowHasTwoInstances) ? a == b : row(of: a) == row(of: b)
  }

  private func precedes(
    _ a: [Value], _ aID: ObjectID, _ b: [Value], _ bID: ObjectID, by request: FetchRequest
  ) -> Bool {
    for descriptor in request.sortDescriptors {
      let slot = shapes[request.entity.index][descriptor.property.index].slot
      if a[slot] == b[slot] { continue }
      if valueOrder.order.precedes(a[slot], b[slot]) { return descriptor.ascending }
      if valueOrder.order.precedes(b[slot], a[slot]) { return !descriptor.ascending }
    }
    return aID < bID
  }

  /// Holds each result that the program has a name for.
  mutating func bindResults(_ ids: [ObjectID], in context: ContextID) {
    for id in ids {
      guard let name = name(of: id), let slot = lookup(id, in: context) else { continue }
      if case .slot(let other) = contexts[context.index].binding(of: name), other != slot {
        continue
      }
      contexts[context.index].bind(name, to: slot)
    }
  }
}
