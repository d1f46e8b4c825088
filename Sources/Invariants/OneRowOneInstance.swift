import Failures
import SimulatedCoreData
import Vocabulary

/// After a look-up, a context has one instance of a row, whatever the ID it was looked up by.
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
