import ObjectModel
import Vocabulary

/// Fetches: rows of the stores, overlaid with the pending changes of each context on the way down.
extension ObjectGraph {
  /// Executes a fetch request. Returns its objects, or an empty array for another result type.
  /// §execute-fetch
  mutating func execute(_ request: FetchRequest, in context: ContextID) -> [ObjectID] {
    switch request.resultType {
    case .managedObject:
      let ids = fetch(request, in: context)
      if !request.returnsObjectsAsFaults {
        for id in ids { _ = fireQuietly(instance(id, in: context), in: context) }
      }
      bindResults(ids, in: context)
      result.events.append(.objects(ids))
      return ids
    case .managedObjectID: result.events.append(.objectIDs(fetchIDs(request, in: context)))
    case .count: result.events.append(.count(fetch(request, in: context).count))  // §count
    case .dictionary: result.events.append(fetchDictionaries(request, in: context))
    }
    return []
  }

  /// Fetches objects, and registers them in `context` and in all its ancestors (FE-11). §fetch
  mutating func fetch(_ request: FetchRequest, in context: ContextID) -> [ObjectID] {
    var ids: [ObjectID]
    if let parent = contexts[context.index].parent {
      let found = fetch(request, in: parent)
      ids = fetchedIDs(of: found, in: context)
    } else {
      let rows = fetchRows(request, for: context)
      fillCache(with: rows, for: context)
      let found = rows.map(\.id)
      ids = fetchedIDs(of: found, in: context)
    }
    if request.includesPendingChanges { overlay(request, on: &ids, in: context) }
    for id in ids { _ = instance(id, in: context) }
    assert(ids.hasNoDuplicates, "a fetch finds an object twice")
    return ids
  }

  /// Fetches IDs without registering objects (FE-16). Pending objects come last (FE-05). §fetch-ids
  private mutating func fetchIDs(_ request: FetchRequest, in context: ContextID) -> [ObjectID] {
    var ids: [ObjectID]
    if let parent = contexts[context.index].parent {
      let found = fetchIDs(request, in: parent)
      ids = fetchedIDs(of: found, in: context)
    } else {
      let rows = fetchRows(request, for: context)
      fillCache(with: rows, for: context)
      let found = rows.map(\.id)
      ids = fetchedIDs(of: found, in: context)
    }
    if request.includesPendingChanges {
      var unsorted = request
      unsorted.sortDescriptors = []
      let count = ids.count
      overlay(unsorted, on: &ids, in: context)
      if count > 0, ids.count > count, !request.sortDescriptors.isEmpty {
        marks.insert(.pendingIDsComeLast)
      }
    }
    return ids
  }

  /// Fetches dictionaries of stored values, without pending changes (FE-04). §fetch-dictionaries
  private mutating func fetchDictionaries(
    _ request: FetchRequest, in context: ContextID
  ) -> Event {
    if hasChanges(in: context, ofWhat: request) { marks.insert(.dictionariesMissPendingChanges) }
    let root = stack.chain(from: context).last ?? context
    if request.summarizes {
      // §fetch-dictionaries.1.1: the window is cut out of the dictionaries.
      var whole = request
      (whole.fetchOffset, whole.fetchLimit) = (0, 0)
      let rows = fetchRows(whole, for: root)
      return summaries(of: rows, for: request)
    }
    let rows = fetchRows(request, for: root)
    return .dictionaries(request.entity, dictionaries(of: rows, for: request))
  }

  private func hasChanges(in context: ContextID, ofWhat request: FetchRequest) -> Bool {
    contexts[context.index].objects.unsettled.contains { slot in
      let object = contexts[context.index].objects[slot]
      return !object.flags.isDisjoint(with: .changes) && concerns(request, object.id.entity)
    }
  }

  /// Returns the properties that a request names, or all stored attributes (FP-A4). §summarize.1
  func fetchedProperties(of request: FetchRequest) -> [PropertyID] {
    request.propertiesToFetch.isEmpty && request.aggregates.isEmpty
      ? model.entities[request.entity.index].storedAttributeIDs : request.propertiesToFetch
  }

  private func dictionaries(of rows: [Row], for request: FetchRequest) -> [[PropertyValue]] {
    let properties = fetchedProperties(of: request)
    return rows.map { row in
      properties.map { PropertyValue($0, row.values[shapes[request.entity.index][$0.index].slot]) }
    }
  }

  /// Converts the IDs found by the level above to IDs of a context. §found-ids
  private func fetchedIDs(of found: [ObjectID], in context: ContextID) -> [ObjectID] {
    var ids: [ObjectID] = []
    for id in found {
      let local = fetchedID(of: id, in: context)
      if !ids.contains(local) { ids.append(local) }
    }
    return ids
  }

  /// Returns the ID of a result in `context`. If its row has two instances, returns the temporary
  /// ID (ID-17). §found-ids.2.2
  private func fetchedID(of id: ObjectID, in context: ContextID) -> ObjectID {
    if quirks.contains(.rowHasTwoInstances), !contexts[context.index].isRoot,
      let temporary = temporaryID(of: row(of: id)),
      contexts[context.index].registry.slot(of: temporary) != nil
    {
      return temporary
    }
    return localized(id, in: context)
  }

  func concerns(_ request: FetchRequest, _ entity: EntityID) -> Bool {
    request.includesSubentities
      ? model.entity(entity, inherits: request.entity) : entity == request.entity
  }

  /// Fetches rows of the attached stores. §fetch-rows
  private mutating func fetchRows(_ request: FetchRequest, for context: ContextID) -> [Row] {
    let coordinator = contexts[context.index].coordinator.index
    var matches: [Row] = []
    let view = predicateView(.stores, of: context, for: request.tree)
    for store in coordinators[coordinator].stores
    where request.affectedStores?.contains(store) ?? true {
      for id in stores[store.index].ids where concerns(request, id.entity) {
        guard let row = stores[store.index][id] else { continue }
        if self.matches(request, row.values, in: context), holds(request.tree, id, in: view) {
          matches.append(row)
        }
      }
    }
    let order = sortOrder(of: request)
    if request.sortsByKeyPaths {
      matches = sortedByKeyPaths(matches, request, for: context)
    } else {
      matches.sort { order.precedes($0.values, $0.id, $1.values, $1.id) }
    }
    matches = Array(matches.dropFirst(request.fetchOffset))
    if request.fetchLimit > 0 { matches = Array(matches.prefix(request.fetchLimit)) }
    assert(matches.map(\.id).hasNoDuplicates, "a fetch finds a row twice")
    result.storeAccess.read(rows: matches.count)
    return matches
  }

  /// Fills the row cache with fetched rows. §fill-row-cache
  private mutating func fillCache(with rows: [Row], for context: ContextID) {
    let coordinator = contexts[context.index].coordinator.index
    for row in rows where coordinators[coordinator][row.id]?.version ?? 0 < row.version {
      assert(row.version >= 1, "the row \(row.id) has version \(row.version)")
      coordinators[coordinator][row.id] = row
      coordinators[coordinator].checkReference(of: row.id)
    }
  }

  /// Overlays pending changes on results. The offset is not applied again (FE-01, FE-06). §overlay
  private mutating func overlay(
    _ request: FetchRequest, on ids: inout [ObjectID], in context: ContextID
  ) {
    var pending: [ManagedObject] = []
    for slot in contexts[context.index].unsettledSlots
    where contexts[context.index].has(.changes, slot) {
      let id = contexts[context.index].id(of: slot)
      guard concerns(request, id.entity) else { continue }
      if isInAffectedStore(id, request, context) {
        pending.append(contexts[context.index].objects[slot])
      } else {
        marks.insert(.affectedStoresExclude)
      }
    }
    guard !pending.isEmpty else { return }
    let view = predicateView(.context, of: context, for: request.tree)
    for object in pending {
      if object.isPendingDeletion {
        if !bugs.contains(.fetchReturnsDeleted) { ids.removeAll { $0 == object.id } }
        continue
      }
      let matches =
        matches(request, visibleValues(of: object.id, in: context), in: context)
        && holds(request.tree, object.id, in: view)
      if !matches {
        if ids.contains(object.id) { marks.insert(.pendingChangeLeavesResults) }
        ids.removeAll { $0 == object.id }
      } else if !ids.contains(object.id) {
        if object.flags.contains(.inserted), bugs.contains(.fetchMissesInsertions) { continue }
        ids.append(object.id)
      }
    }
    if !request.sortDescriptors.isEmpty {
      ids = sorted(ids, by: request, in: context)
    }
    if bugs.contains(.fetchOffsetTwice) { ids = Array(ids.dropFirst(request.fetchOffset)) }
    if request.fetchLimit > 0, ids.count > request.fetchLimit, !bugs.contains(.fetchLimitOnce) {
      marks.insert(.pendingResultsAreCut)
      ids = Array(ids.prefix(request.fetchLimit))
    }
  }

  /// Sorts results by the values that a context shows. §sort-results
  private func sorted(
    _ ids: [ObjectID], by request: FetchRequest, in context: ContextID
  ) -> [ObjectID] {
    if request.sortsByKeyPaths { return sortedByKeyPaths(ids, request, in: context) }
    let order = sortOrder(of: request)
    let keyed = ids.map { (values: visibleValues(of: $0, in: context), id: $0) }
    return keyed.sorted { order.precedes($0.values, $0.id, $1.values, $1.id) }.map(\.id)
  }

  func isInAffectedStore(
    _ id: ObjectID, _ request: FetchRequest, _ context: ContextID
  ) -> Bool {
    guard let affected = request.affectedStores else { return true }
    return store(of: id, for: context).map(affected.contains) ?? false
  }

  /// Returns the values that a context shows, without registering or firing. §shown-values
  func visibleValues(of id: ObjectID, in context: ContextID) -> [Value] {
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
    return attachedRow(row, for: context)?.values
      ?? Array(repeating: .null, count: model.entities[id.entity.index].valueCount)
  }

  /// Matches values with the comparisons of a request. §match
  func matches(
    _ request: FetchRequest, _ values: [Value], in context: ContextID, byRow: Bool = false
  ) -> Bool {
    request.predicate.allSatisfy { comparison in
      let shape = shapes[request.entity.index][comparison.property.index]
      let value = values[shape.slot]
      switch comparison.operand {
      case .object(let reference):
        let wanted = heldID(reference.context, reference.name)
        let isSame =
          byRow
          ? value.objectID.map(row) == wanted.map(row)
          : isSameDestination(value.objectID, wanted)
        return isSame == (comparison.relation == .equal)
      case .value(let operand):
        switch comparison.relation {
        case .equal: return value == operand
        case .notEqual: return value != operand
        case .less:
          return !value.isNull && !operand.isNull && valueOrder.precedes(value, operand)
        case .greater:
          return !value.isNull && !operand.isNull && valueOrder.precedes(operand, value)
        }
      }
    }
  }

  /// Compares a destination with the ID of a held object. §same-object
  private func isSameDestination(_ a: ObjectID?, _ b: ObjectID?) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    return quirks.contains(.rowHasTwoInstances) ? a == b : row(of: a) == row(of: b)
  }

  /// The sort descriptors of a request. A separate value, because a closure that reads the graph
  /// copies it each time. §sort-results.2
  private struct SortOrder {
    let keys: [(slot: Int, ascending: Bool)]
    let values: ValueOrder

    func precedes(_ a: [Value], _ aID: ObjectID, _ b: [Value], _ bID: ObjectID) -> Bool {
      for (slot, ascending) in keys where a[slot] != b[slot] {
        if values.precedes(a[slot], b[slot]) { return ascending }
        if values.precedes(b[slot], a[slot]) { return !ascending }
      }
      return aID < bID
    }
  }

  private func sortOrder(of request: FetchRequest) -> SortOrder {
    var keys: [(slot: Int, ascending: Bool)] = []
    for descriptor in request.sortDescriptors {
      let shape = shapes[request.entity.index][descriptor.property.index]
      keys.append((shape.slot, descriptor.ascending))
    }
    return SortOrder(keys: keys, values: valueOrder)
  }

  /// Binds the results of a fetch to the names of the program. §bind-results
  mutating func bindResults(_ ids: [ObjectID], in context: ContextID) {
    guard holdsResults else { return }
    for id in ids {
      guard let name = name(of: id), let slot = lookup(id, in: context) else { continue }
      if case .slot(let other) = contexts[context.index].binding(of: name), other != slot {
        continue
      }
      contexts[context.index].bind(name, to: slot)
    }
  }
}
