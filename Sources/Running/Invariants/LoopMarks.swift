import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// The marks that loops have set on objects of models without a suitable Boolean attribute. The app
/// has a separate attribute for its marks. In the model, another attribute stands in for it, which
/// programs also edit. Edits and marks that replace each other are no loss by the design.
struct LoopMarks: RunNote {
  static let informs: [Invariant] = [
    .SavedUpdatesAreNotLost, .SavesAreNotIgnored, .MergedUpdatesAreNotLost,
  ]

  private struct Mark: Hashable {
    let object: ObjectID
    let property: PropertyID
    let value: Value
  }

  private var marks: Set<Mark> = []

  var isEmpty: Bool { marks.isEmpty }

  mutating func note(_ action: Action, in world: World) {
    guard case .step(let step, .whole) = action else { return }
    switch step.step {
    case .forEach:
      for case .hookSet(_, let id, let property, let value) in world.graph.result.events {
        // Hooks that the loop triggers also write.
        guard let mark = world.model[id.entity].mark, mark == (property, value) else { continue }
        if case .boolean = value { continue }
        marks.insert(Mark(object: world.lifelongID(id), property: property, value: value))
      }
    case .set(let name, let property, let value):
      // An edit that sets the value of the mark counts as an edit.
      guard let object = world.lifelongID(of: name, in: step.context) else { return }
      marks.remove(Mark(object: object, property: property, value: value))
    default: return
    }
  }

  /// Removes violations whose values a mark replaced or was replaced by.
  func removeMarked(from found: inout [Violation], in world: World) {
    if marks.isEmpty { return }
    found.removeAll { violation in
      switch violation.invariant {
      // A lost count has two equal values, and marks are not counts.
      case .SavedUpdatesAreNotLost where violation.values.first == violation.values.last:
        return false
      case .SavedUpdatesAreNotLost, .SavesAreNotIgnored, .MergedUpdatesAreNotLost: break
      default: return false
      }
      guard let id = violation.object, let property = violation.property else { return false }
      let object = world.lifelongID(id)
      return violation.values.contains {
        marks.contains(Mark(object: object, property: property, value: $0))
      }
    }
  }
}
