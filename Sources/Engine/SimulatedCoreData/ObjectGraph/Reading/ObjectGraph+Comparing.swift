package import ObjectModel
package import Vocabulary

/// Comparisons of the stores over time, and with the lists that controllers show.
extension ObjectGraph {
  /// The rows of all stores on disk at one moment.
  package struct Disk: Hashable {
    fileprivate let tables: [RowTable?]

    /// Returns an object whose row differs, or `nil` if all rows are equal.
    package func difference(from other: Disk) -> ObjectID? {
      for (mine, theirs) in zip(tables, other.tables) where mine != theirs {
        let ids = ((mine?.ids ?? []) + (theirs?.ids ?? [])).sorted()
        if let id = ids.first(where: { mine?[$0] != theirs?[$0] }) { return id }
      }
      return nil
    }
  }

  package var disk: Disk {
    Disk(
      tables: stack.stores.indices.map { stack.stores[$0].isInMemory ? nil : stores[$0] })
  }

  /// Returns the list that a controller shows, and the list that the rows require, both by
  /// permanent IDs. Objects with equal sort values may have any order. Returns `nil` if the
  /// controller does not listen.
  package func list(
    of controller: ControllerID
  ) -> (shown: [ResultsSection], stored: [ResultsSection])? {
    let declared = stack.controllers[controller.index]
    guard controllers[controller.index].isListening else { return nil }
    let shown = controllers[controller.index].entries.map { entry in
      ResultsController.Entry(id: row(of: entry.id), sortValues: entry.sortValues.map(rowValue))
    }
    let places = shown.map(\.id)
    var stored = storedEntries(of: declared)
    stored.sort { a, b in
      if let isFirst = sortsBefore(a, b, by: declared.request) { return isFirst }
      let (x, y) = (places.firstIndex(of: a.id), places.firstIndex(of: b.id))
      return (x ?? places.count, a.id) < (y ?? places.count, b.id)
    }
    return (sections(of: shown, declared), sections(of: stored, declared))
  }

  private func rowValue(_ value: Value) -> Value {
    value.objectID.map { .object(row(of: $0)) } ?? value
  }

  private func storedEntries(of declared: Stack.ResultsController) -> [ResultsController.Entry] {
    let request = declared.request
    let shapes = shapes[request.entity.index]
    let attached = coordinators[contexts[declared.context.index].coordinator.index].stores
    var entries: [ResultsController.Entry] = []
    for store in attached where request.affectedStores?.contains(store) ?? true {
      for id in stores[store.index].ids where concerns(request, id.entity) {
        guard let row = stores[store.index][id],
          matches(request, row.values, in: declared.context, byRow: true),
          holds(
            request.tree, id,
            in: predicateView(
              .stores, of: declared.context, for: request.tree, byRow: true))
        else { continue }
        entries.append(
          .init(
            id: id,
            sortValues: request.sortDescriptors.map {
              row.values[shapes[$0.property.index].slot]
            }))
      }
    }
    return entries
  }
}
