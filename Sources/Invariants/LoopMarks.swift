import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// What loops of a design have marked objects with, where the model has no Boolean for it. The app
/// has an attribute of its own for its marks, and there is none in the model: another one stands in
/// for it, which programs edit. That edit and mark replace each other is no loss of the design's.
struct LoopMarks: Hashable {
  private struct Mark: Hashable {
    let object: ObjectID
    let property: PropertyID
    let value: Value
  }

  private var marks: Set<Mark> = []

  mutating func note(_ action: Action, in world: World) {
    guard case .step(let step, .whole) = action, case .forEach = step.step else { return }
    for case .hookSet(_, let id, let property, let value) in world.events {
      if case .boolean = value { continue }
      marks.insert(Mark(object: world.lifelongID(id), property: property, value: value))
    }
  }

  /// Takes out what a mark has replaced, or was replaced by.
  func strike(_ found: inout [Violation], in world: World) {
    if marks.isEmpty { return }
    found.removeAll { violation in
      switch violation.invariant {
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
