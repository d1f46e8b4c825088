import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// After a root's save no context below may still know by its temporary ID what was inserted,
/// whether this save made the ID permanent or an ancestor obtained it earlier (ID-08).
func checkTemporaryIDs(after root: ContextID, in world: World, _ found: inout [Violation]) {
  for event in world.graph.result.events {
    guard case .saveRequest(_, let sets) = event else { continue }
    for row in sets.inserted {
      guard let temporary = world.graph.originalTemporaryID(of: row) else { continue }
      for index in 0..<world.graph.contextCount {
        let context = ContextID(index)
        guard world.graph.isRegistered(exactly: temporary, in: context),
          world.graph.isAtOrBelow(root, context)
        else { continue }
        found.append(Violation(.NoTemporaryIDOutlivesItsSave, in: context, object: temporary))
      }
    }
  }
}

/// After a look-up: one instance, whatever the ID it was looked up by.
func checkInstances(after step: AddressedStep, in world: World, _ found: inout [Violation]) {
  switch step.step {
  case .object, .existingObject, .registeredObject, .fetch: break
  default: return
  }
  for row in world.graph.rowsWithTwoInstances(in: step.context) {
    found.append(Violation(.OneRowOneInstance, in: step.context, object: row))
  }
}
