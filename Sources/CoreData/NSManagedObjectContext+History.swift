import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// What history tells of a save besides IDs, and merges of what was written behind contexts.
extension NSManagedObjectContext {
  /// To be asked before the changes are written: what objects will be updated with, and what is
  /// kept of those that will be deleted. Empty below a parent, which writes nothing to stores.
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

  /// Takes over what a batch request did, or another context saved, given as the IDs that its
  /// result or notification holds, in each of the contexts (NT-30).
  public static func mergeChanges(
    fromRemoteContextSave changes: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
  ) {
    guard let state = contexts.first?.state else { return }
    guard let number = state.remoteNumber(of: changes) else {
      misuse(
        "mergeChanges(fromRemoteContextSave:) takes all IDs of one batch result, or of one DidSave, of "
          + "this run; others are not simulated")
    }
    // Apps call it in blocks of other contexts: it goes to each queue by itself.
    for context in contexts {
      context.performAndWait {
        state.post(context.run.perform(.mergeRemote(context.id, number: number)))
      }
    }
  }
}
