import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Saves that replaced what their context had not seen, and saves of which nothing arrived.
func checkEvidence(_ world: World, _ hookWrites: HookWrites, _ found: inout [Violation]) {
  for evidence in world.evidence {
    switch evidence {
    case .overwrote(let change, base: _, let replaced, let new):
      if hookWrites.contains(replaced, of: change.object, change.property, in: world) { continue }
      var violation = Violation(
        .SavedUpdatesAreNotLost, in: change.context, object: change.object,
        property: change.property, values: [replaced, new])
      violation.site = change.parent == nil ? .store : .program
      found.append(violation)
    case .ignored(let change, let wanted, found: let there):
      var violation = Violation(
        .SavesAreNotIgnored, in: change.context, object: change.object,
        property: change.property, values: [wanted] + (there.map { [$0] } ?? []))
      violation.site = change.parent == nil ? .store : .program
      found.append(violation)
    case .related, .wrote, .tookOver, .leftOut, .lost, .missed, .merged: continue
    }
  }
}
