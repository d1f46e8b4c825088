import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// The values that hooks of the model have set. A default that an object sets itself is not an
/// update, so a save that replaces the default loses nothing.
struct HookWrites: RunNote {
  static let informs: [Invariant] = [.SavedUpdatesAreNotLost, .SavesAreNotIgnored]

  private struct Write: Hashable {
    let object: ObjectID
    let property: PropertyID
    let value: Value
  }

  private var writes: Set<Write> = []

  mutating func note(_ world: World) {
    for case .hookSet(_, let id, let property, let value) in world.graph.result.events {
      writes.insert(Write(object: world.lifelongID(id), property: property, value: value))
    }
  }

  func contains(_ value: Value, of object: ObjectID, _ property: PropertyID, in world: World)
    -> Bool
  {
    !writes.isEmpty
      && writes.contains(Write(object: world.lifelongID(object), property: property, value: value))
  }
}
