import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// History of saves, and merges of remote changes.
extension NSManagedObjectContext {
  /// Returns the names of the updated properties, and the preserved values of the deleted objects,
  /// for the history. Must be called before the changes are written. The result of a child context
  /// is empty, because a child writes to no store.
  func detailsOfChanges() -> RunState.ChangeDetails {
    var details = RunState.ChangeDetails()
    guard parent == nil else { return details }
    for view in run.read({ $0.view(of: id) }) where view.isUpdated || view.isDeleted {
      let entity = run.model[view.id.entity]
      let preserved = view.isDeleted ? preservedNames(of: view.id.entity) : []
      guard view.isUpdated || !preserved.isEmpty else { continue }
      run.read { graph in
        guard let instance = graph.inspect(view.id, in: id) else { return }
        for (index, property) in entity.properties.enumerated() {
          let key = PropertyID(index)
          if view.isUpdated, instance.isChanged(key) {
            details.updated[view.id, default: []].append(property.name)
          }
          if preserved.contains(property.name),
            let value = instance.baseValue(of: key, in: graph)
          {
            details.tombstones[view.id, default: [:]][property.name] = plain(value, property)
          }
        }
      }
    }
    return details
  }

  private func preservedNames(of entity: EntityID) -> [String] {
    state.entity(entity).attributesByName.values
      .filter(\.preservesValueInHistoryOnDeletion).map(\.name)
  }

  /// Merges the changes of a batch request or a save, given as object IDs, into several contexts
  /// (NT-30).
  public static func mergeChanges(
    fromRemoteContextSave changes: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
  ) {
    guard let state = contexts.first?.state else { return }
    guard let number = state.remoteNumber(of: changes) else {
      misuse(
        "mergeChanges(fromRemoteContextSave:) is simulated only with all IDs of one batch result, or of one "
          + "DidSave notification, of this run")
    }
    // Apps call this method in blocks of other contexts, so each context's queue is entered here.
    for context in contexts {
      context.performAndWait {
        state.post(context.run.perform(.mergeRemote(context.id, number: number)))
      }
    }
  }
}
