import ObjectModel
import SimulatedCoreData
import Vocabulary

extension BatchRequest {
  /// Returns the values that the request, which was the last action, has set in rows that existed
  /// before: those of an update, and those of records that overwrote a row (FE-28).
  func changes(in world: World) -> [(object: ObjectID, property: PropertyID, value: Value)] {
    switch kind {
    case .delete: return []
    case .update(let values):
      guard case .batched(let sets, _)? = world.graph.result.events.last else { return [] }
      return sets.updated.flatMap { id in values.map { (id, $0.property, $0.value) } }
    case .insert:
      return world.graph.result.evidence.compactMap { evidence in
        guard case .tookOver(let change, old: _, let new) = evidence else { return nil }
        return (change.object, change.property, new)
      }
    }
  }
}
