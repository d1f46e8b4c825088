import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// What loops have marked objects with, where the model has no Boolean for it. The app has an
/// attribute of its own for its marks, and there is none in the model: another one stands in for
/// it, which programs edit. That an edit and a mark replace each other is no loss of the design's.
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
        // Hooks that the loop sets off write, too.
        guard let mark = world.model[id.entity].mark, mark == (property, value) else { continue }
        if case .boolean = value { continue }
        marks.insert(Mark(object: world.lifelongID(id), property: property, value: value))
      }
    case .set(let name, let property, let value):
      // An edit that equals the mark is an edit.
      guard let object = world.lifelongID(of: name, in: step.context) else { return }
      marks.remove(Mark(object: object, property: property, value: value))
    default: return
    }
  }

  /// Takes out what a mark has replaced, or was replaced by.
  func strike(_ found: inout [Violation], in world: World) {
    if marks.isEmpty { return }
    found.removeAll { violation in
      switch violation.invariant {
      // A lost count has two equal values, and no mark is counted.
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
