import ObjectModel
import SimulatedCoreData
import Vocabulary

/// The new objects that saves have left out as duplicates, which other contexts go on with.
struct DroppedDuplicates: Hashable {
  private var objects: Set<ObjectID> = []

  mutating func note(_ world: World) {
    for case .leftOut(_, object: let id) in world.evidence {
      objects.insert(world.lifelongID(id))
    }
  }

  func contains(_ id: ObjectID, in world: World) -> Bool {
    !objects.isEmpty && objects.contains(world.lifelongID(id))
  }
}
