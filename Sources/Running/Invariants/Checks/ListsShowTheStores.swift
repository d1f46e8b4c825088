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
      let controller = ControllerID(index)
      guard world.stack.chain(from: declared.context).allSatisfy({ !world.graph.hasChanges($0) }),
        isStored(declared, in: world), let list = world.graph.list(of: controller),
        list.shown != list.stored
      else { continue }
      let missed = Set(list.shown.flatMap(\.objects))
        .symmetricDifference(list.stored.flatMap(\.objects))
      if !missed.isEmpty,
        missed.allSatisfy({ notes.lookups.contains($0, in: declared.context, world) })
      {
        continue
      }
      var violation = Violation(.ListsShowTheStores, in: declared.context)
      if StackShape(world.stack).follows(declared.context) { violation.site = .stack }
      violation.detail = declared.name
      violation.proof = [
        ProofLine(.shows(list.shown), by: declared.context), ProofLine(.hasStored(list.stored)),
      ]
      found.append(violation)
    }
  }
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
