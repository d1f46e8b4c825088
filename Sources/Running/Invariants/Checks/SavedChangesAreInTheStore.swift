import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Checks that the store has the changes of a root's commit at once. A kill could follow at any
/// moment, and another context may change the row before the save has even ended.
struct SavedChanges: InvariantCheck {
  static let invariants: [Invariant] = [.SavedChangesAreInTheStore]
  static let signs = EventSigns.rootCommits

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    let root = moment.context
    for event in world.graph.result.events {
      guard case .saveRequest(_, let sets) = event else { continue }
      for id in sets.inserted + sets.updated where !world.graph.showsItsRow(id, in: root) {
        guard let instance = world.graph.inspect(id, in: root), !instance.view.isFault,
          !instance.view.isUpdated
        else { continue }
        let saved = instance.view
        guard let stored = world.graph.storedValues(of: id) else {
          if sets.inserted.contains(id) {
            found.append(Violation(.SavedChangesAreInTheStore, in: root, object: id))
          }
          continue
        }
        // The row has another version, so the save changed and wrote nothing.
        guard world.graph.storedVersion(of: id) == instance.version else { continue }
        for property in world.model.entities[id.entity.index].storedAttributeIDs {
          let slot = world.graph.slot(of: property, in: id.entity)
          if stored[slot] == saved.values[slot] { continue }
          if world.graph.isWrittenByHooks(property, of: id.entity) { continue }
          found.append(
            Violation(
              .SavedChangesAreInTheStore, in: root, object: id, property: property,
              values: [saved.values[slot], stored[slot]]))
        }
      }
      for id in sets.deleted where world.graph.storedValues(of: id) != nil {
        found.append(Violation(.SavedChangesAreInTheStore, in: root, object: id))
      }
    }
  }
}
