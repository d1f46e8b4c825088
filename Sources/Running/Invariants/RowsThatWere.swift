import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// The objects that have, or had, a row in a store.
struct RowsThatWere: RunNote {
  static let informs: [Invariant] = [.CopiesAtRestAreCurrent, .ContextsKeepTheirPromises]

  /// The lifelong IDs of the objects.
  private var objects: Set<ObjectID> = []

  func contains(_ id: ObjectID, in world: World) -> Bool { objects.contains(world.lifelongID(id)) }

  mutating func note(_ moment: Moment, in world: World) {
    if moment.signs.isDisjoint(with: [.saveRequests, .batches]) { return }
    for event in world.graph.result.events {
      switch event {
      case .saveRequest(_, let sets), .batched(let sets, _):
        for id in sets.inserted { objects.insert(world.lifelongID(id)) }
      default: continue
      }
    }
  }
}
