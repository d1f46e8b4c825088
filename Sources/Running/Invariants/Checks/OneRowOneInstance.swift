import Failures
import SimulatedCoreData
import Vocabulary

/// Checks that after a look-up a context has one instance for a row, whatever ID the look-up used.
struct Instances: InvariantCheck {
  static let invariants: [Invariant] = [.OneRowOneInstance]

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    switch moment.kind {
    case .object, .existingObject, .registeredObject, .fetch: break
    default: return
    }
    for row in world.graph.rowsWithTwoInstances(in: moment.context) {
      found.append(Violation(.OneRowOneInstance, in: moment.context, object: row))
    }
  }
}
