import SimulatedCoreData
import Vocabulary

/// Saves that replaced what their context had not seen, and saves of which nothing arrived.
func checkEvidence(_ world: World, _ found: inout [Violation]) {
  for evidence in world.evidence {
    switch evidence {
    case .overwrote(let change, base: _, replaced: let replaced, new: let new):
      found.append(
        Violation(
          .SavedUpdatesAreNotLost, in: change.context, object: change.object,
          property: change.property, values: [replaced, new]))
    case .ignored(let change, wanted: let wanted, found: let there):
      found.append(
        Violation(
          .SavesAreNotIgnored, in: change.context, object: change.object,
          property: change.property, values: [wanted, there]))
    case .related: continue
    }
  }
}
