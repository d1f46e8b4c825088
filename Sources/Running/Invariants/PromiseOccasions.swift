import SimulatedCoreData
import Vocabulary

/// The occasions on which promises are judged.
extension Moment {
  /// Returns a Boolean value that indicates whether the promise is judged in the place after the
  /// action. A promise about rest is also judged after saves, because it counts from the moment at
  /// which it first holds.
  func isOccasion(
    for promise: Promise, in place: DataClaim.Place, _ world: World
  ) -> Bool {
    switch place {
    case .stores:
      if let committed, world.graph.parent(of: committed) == nil { return true }
      if signs.contains(.batches) { return true }
      return promise.occasion == .always && changesStores(world)
    case .context(let place):
      if promise.occasion == .always, context == place { return true }
      if let committed, committed == place || world.graph.parent(of: committed) == place {
        return true
      }
      return signs.contains(.merges)
        && world.graph.result.events.contains { event in
          if case .didMergeChanges(place, _) = event { true } else { false }
        }
    }
  }

  /// Returns a Boolean value that indicates whether the action has changed rows, or the stores that
  /// contexts reach.
  private func changesStores(_ world: World) -> Bool {
    switch kind {
    case .removeStore, .destroyStore, .addStore, .kill: true
    default: world.graph.result.storeAccess.writes
    }
  }
}
