import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// The inserted objects that a context has saved, to its parent or to a store. For all other
/// objects, the insertion was never completed (CT-14).
struct SavedInsertions: RunNote {
  static let informs: [Invariant] = [.SavedUpdatesAreNotLost, .SavesAreNotIgnored]

  private var objects: Set<ObjectID> = []

  mutating func note(_ world: World) {
    for case .didSave(_, let sets, number: _) in world.graph.result.events {
      for id in sets.inserted { objects.insert(world.lifelongID(id)) }
    }
  }

  func contains(_ id: ObjectID, in world: World) -> Bool {
    objects.contains(world.lifelongID(id))
  }
}
