import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// The new objects that some context has saved, to its parent or to a store: of any other its
/// context has never completed the insertion (CT-14).
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
