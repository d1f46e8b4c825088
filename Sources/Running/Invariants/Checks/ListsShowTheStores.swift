import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Checks that at rest a fetched list shows the rows of the stores, if its context and ancestors
/// have no unsaved changes. The violation is a phantom (P3) that stayed: rows changed without a
/// notification to the list.
///
/// A fault that a program looked up before its row existed keeps the list from noticing the row.
/// Such rows do not count.
struct ListsAtRest: InvariantCheck {
  static let invariants: [Invariant] = [.ListsShowTheStores]
  static let signs: EventSigns = []

  func checkAtRest(_ notes: RunNotes, in world: World, _ found: inout [Violation]) {
    for (index, declared) in world.stack.controllers.enumerated() {
      guard let list = outdatedList(of: ControllerID(index), notes, world) else { continue }
      var violation = Violation(.ListsShowTheStores, in: declared.context)
      if StackShape(world.stack).follows(declared.context), list.missesSaves {
        violation.site = .stack
      }
      violation.detail = declared.name
      violation.proof = [
        ProofLine(.shows(list.shown), by: declared.context), ProofLine(.hasStored(list.stored)),
      ]
      found.append(violation)
    }
  }
}

/// Returns the sections that a list shows and those that a fetch would return, if they differ. The
/// context and its ancestors must have no unsaved changes.
///
/// `missesSaves` is false if the list differs only by objects that were never saved. Their context
/// has rolled them back or deleted them without notifying the list, so no merge can update it.
func outdatedList(
  of controller: ControllerID, _ notes: RunNotes, _ world: World
) -> (shown: [ResultsSection], stored: [ResultsSection], missesSaves: Bool)? {
  let declared = world.stack.controllers[controller.index]
  guard world.stack.chain(from: declared.context).allSatisfy({ !world.graph.hasChanges($0) }),
    isStored(declared, in: world), let list = world.graph.list(of: controller),
    list.shown != list.stored
  else { return nil }
  let missed = Set(list.shown.flatMap(\.objects))
    .symmetricDifference(list.stored.flatMap(\.objects))
  let isExcused =
    !missed.isEmpty
    && missed.allSatisfy { notes.lookups.contains($0, in: declared.context, world) }
  let missesSaves = missed.isEmpty || missed.contains { !$0.isTemporaryID }
  return isExcused ? nil : (list.shown, list.stored, missesSaves)
}

/// Returns a Boolean value that indicates whether rows contain the properties that the list filters
/// and sorts by, as objects have them.
private func isStored(_ controller: Stack.ResultsController, in world: World) -> Bool {
  let request = controller.request
  let properties = request.predicate.map(\.property) + request.sortDescriptors.map(\.property)
  return properties.allSatisfy { property in
    world.model[request.entity][property].attribute?.isTransient != true
      && !world.model.entities.indices.contains { entity in
        world.model.entity(EntityID(entity), inherits: request.entity)
          && world.graph.isWrittenByHooks(property, of: EntityID(entity))
      }
  }
}
