import ObjectModel
import Vocabulary

/// Sort descriptors with key paths over to-one relationships. Destinations are looked up in the
/// stores for rows, and in the context for pending changes, as for predicates.
extension ObjectGraph {
  /// Sorts rows by key paths, in the stores. §sort-results
  func sortedByKeyPaths(_ rows: [Row], _ request: FetchRequest, for context: ContextID) -> [Row] {
    let view = PredicateView(self, .stores, of: context)
    let keyed = rows.map { (element: $0, id: $0.id, keys: view.keys(of: $0.id, by: request)) }
    return sorted(keyed, by: request)
  }

  /// Sorts results by key paths, in a context. §sort-results
  func sortedByKeyPaths(
    _ ids: [ObjectID], _ request: FetchRequest, in context: ContextID
  ) -> [ObjectID] {
    let view = PredicateView(self, .context, of: context)
    return sorted(
      ids.map { (element: $0, id: $0, keys: view.keys(of: $0, by: request)) }, by: request)
  }

  private func sorted<Element>(
    _ keyed: [(element: Element, id: ObjectID, keys: [Value])], by request: FetchRequest
  ) -> [Element] {
    let order = valueOrder
    let directions = request.sortDescriptors.map(\.ascending)
    return keyed.sorted { a, b in
      for (index, ascending) in directions.enumerated() where a.keys[index] != b.keys[index] {
        if order.precedes(a.keys[index], b.keys[index]) { return ascending }
        if order.precedes(b.keys[index], a.keys[index]) { return !ascending }
      }
      return a.id < b.id
    }.map(\.element)
  }
}

extension PredicateView {
  /// Returns the sort keys of an object. A path that reaches null ends with null. §sort-results.1
  fileprivate func keys(of id: ObjectID, by request: FetchRequest) -> [Value] {
    request.sortDescriptors.map { descriptor in
      descriptor.furtherKeys.reduce(value(of: id, descriptor.property)) { reached, key in
        reached.objectID.map { value(of: $0, key) } ?? .null
      }
    }
  }
}
