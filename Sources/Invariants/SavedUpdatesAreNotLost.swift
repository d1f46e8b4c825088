import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Saves that replaced what their context had not seen, and saves of which nothing arrived.
func checkEvidence(
  _ world: World, _ hookWrites: HookWrites, _ savedInsertions: SavedInsertions,
  _ found: inout [Violation]
) {
  for evidence in world.graph.result.evidence {
    switch evidence {
    case .overwrote(let change, base: _, let replaced, let new):
      if hookWrites.contains(replaced, of: change.object, change.property, in: world) { continue }
      // What a class shows instead of what was loaded tells nothing of what the context has seen.
      if world.graph.isWrittenByFetches(change.property, of: change.object.entity) { continue }
      var violation = Violation(
        .SavedUpdatesAreNotLost, in: change.context, object: change.object,
        property: change.property, values: [replaced, new])
      violation.site = change.parent == nil ? .store : .program
      found.append(violation)
    case .ignored(let change, let wanted, found: let there):
      // What becomes of a change to an object that the parent has inserted, and has not any more
      // without having saved it, is unknown: the save may be an error (CT-14).
      if there == nil, change.parent != nil,
        world.graph.permanentID(of: change.object).isTemporaryID,
        !savedInsertions.contains(change.object, in: world)
      {
        continue
      }
      var violation = Violation(
        .SavesAreNotIgnored, in: change.context, object: change.object,
        property: change.property, values: [wanted] + (there.map { [$0] } ?? []))
      violation.site = change.parent == nil ? .store : .program
      found.append(violation)
    case .related, .wrote, .tookOver, .leftOut, .lost, .missed, .merged: continue
    }
  }
}
