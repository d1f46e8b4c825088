import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Sorts objects in memory where the simulated stores cannot.
extension NSManagedObjectContext {
  /// Returns the IDs that a request finds in stores, and optionally among pending changes, without
  /// its offset and limit. The fetch registers no objects (FE-16).
  func foundIDs<Result>(
    _ request: NSFetchRequest<Result>, withPending: Bool, isSorted: Bool
  ) throws -> [ObjectID] {
    let ids = request.copied(to: NSFetchRequest<NSManagedObjectID>.self)
    ids.resultType = .managedObjectIDResultType
    ids.includesPendingChanges = withPending
    (ids.fetchOffset, ids.fetchLimit) = (0, 0)
    (ids.propertiesToFetch, ids.propertiesToGroupBy, ids.havingPredicate) = (nil, nil, nil)
    ids.returnsDistinctResults = false
    if !isSorted { ids.sortDescriptors = nil }
    for case .objectIDs(let found) in try attempt(.fetch(engineRequest(ids))) { return found }
    return []
  }

  /// Returns the IDs that a request finds if it sorts by a method and either has a limit or offset,
  /// or requests IDs. Returns nil for other requests.
  ///
  /// The window is cut from the stored rows. Pending changes are then added, and the limit is
  /// applied again (FE-06).
  func sortedIDs<Result>(_ request: NSFetchRequest<Result>) throws -> [ObjectID]? {
    let descriptors = request.sortDescriptors ?? []
    let isWindow = request.fetchLimit > 0 || request.fetchOffset > 0
    guard isWindow || request.resultType == .managedObjectIDResultType,
      [.managedObjectIDResultType, .managedObjectResultType].contains(request.resultType),
      descriptors.contains(where: \.isBeyondStores)
    else { return nil }
    guard !request.shouldRefreshRefetchedObjects else {
      misuse("shouldRefreshRefetchedObjects is not simulated with a limit and a sort by a method")
    }
    func cut(_ ids: [ObjectID]) -> [ObjectID] {
      request.fetchLimit > 0 ? Array(ids.prefix(request.fetchLimit)) : ids
    }
    // A child context forwards the request to its parent (FE-11).
    let below = try parent.flatMap { parent in
      try parent.performAndWait { try parent.sortedIDs(request) }
    }
    guard let window = try below ?? storedWindow(request) else { return nil }
    guard request.includesPendingChanges else { return window }
    let found = try foundIDs(request, withPending: true, isSorted: false)
    let changed = run.read { graph in
      Set(graph.view(of: id).filter { $0.isInserted || $0.isUpdated }.map(\.id))
    }
    let (inWindow, known) = (Set(window), Set(found))
    let all =
      window.filter { known.contains($0) }
      + found.filter { !inWindow.contains($0) && changed.contains($0) }
    // In a result of IDs, pending changes come last (FE-05).
    guard request.resultType != .managedObjectIDResultType else { return cut(all) }
    return cut(sorted(all, by: descriptors, beyond: \.isBeyondStores))
  }

  /// Returns the stored rows of a request that sorts by a method, after its offset and up to its
  /// limit. Returns nil for other requests.
  func storedWindow<Result>(_ request: NSFetchRequest<Result>) throws -> [ObjectID]? {
    let descriptors = request.sortDescriptors ?? []
    guard descriptors.contains(where: \.isBeyondStores) else { return nil }
    let stored = sorted(
      try foundIDs(request, withPending: false, isSorted: false), by: descriptors,
      beyond: \.isBeyondStores, asStored: true
    ).dropFirst(request.fetchOffset)
    return Array(request.fetchLimit > 0 ? stored.prefix(request.fetchLimit) : stored)
  }

  /// Sorts objects in memory if stores cannot apply some of the descriptors.
  func sorted(
    _ ids: [ObjectID], by descriptors: [NSSortDescriptor],
    beyond isBeyond: (NSSortDescriptor) -> Bool, asStored: Bool = false
  ) -> [ObjectID] {
    guard descriptors.contains(where: isBeyond) else { return ids }
    let comparisons = descriptors.map(\.comparison)
    let paths = descriptors.map { $0.attributeName.split(separator: ".").map(String.init) }
    let shown = asStored ? [:] : shownValues
    let rows = ids.map { id in paths.map { value(at: $0[...], of: id, shown) } }
    let positions = rows.indices.sorted { a, b in
      for (index, descriptor) in descriptors.enumerated() {
        let (first, second) = (rows[a][index], rows[b][index])
        let order: Int
        if let comparison = comparisons[index], let first = first as? String,
          let second = second as? String
        {
          order = comparison.compare(first as NSString, second).rawValue
        } else {
          // Nil comes first.
          let nilFirst = (first == nil ? 0 : 1) - (second == nil ? 0 : 1)
          order = PredicateFormat.order(first, second, PredicateFormat.Options()) ?? nilFirst
        }
        if order != 0 { return (order < 0) == descriptor.ascending }
      }
      return a < b
    }
    return positions.map { ids[$0] }
  }

  /// The values that the context shows. Values of its faults come from the nearest ancestor that
  /// shows them.
  private var shownValues: [ObjectID: InstanceView] {
    var shown = parent?.shownValues ?? [:]
    for view in run.read({ $0.view(of: id) }) where !view.isFault { shown[view.id] = view }
    return shown
  }

  /// Returns the stored value at the end of a path over to-one relationships.
  func storedValue(at path: ArraySlice<String>, of id: ObjectID) -> Any? {
    value(at: path, of: id, [:])
  }

  /// Returns the value at the end of a path over to-one relationships. For a fault, it reads the
  /// stored value without firing the fault.
  private func value(
    at path: ArraySlice<String>, of id: ObjectID, _ shown: [ObjectID: InstanceView]
  ) -> Any? {
    let view = shown[id].flatMap { $0.isFault ? nil : $0.values }
    let values = view ?? run.read { $0.storedValues(of: id) } ?? []
    let entity = run.model[id.entity]
    guard let key = path.first, let property = entity.property(named: key).map({ entity[$0] })
    else { misuse("\(entity.name) has no property '\(path.first ?? "")'") }
    if property.isToMany { misuse("a key path leads through the to-many relationship '\(key)'") }
    guard property.slot < values.count else { return nil }
    let value = values[property.slot]
    if path.count == 1 { return stored(value, property) }
    return value.objectID.flatMap { self.value(at: path.dropFirst(), of: $0, shown) }
  }
}
