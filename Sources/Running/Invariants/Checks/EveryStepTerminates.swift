import Failures
import SimulatedCoreData
import Vocabulary

/// Finds a `willSave` that changes its object in each round, so that the save does not end. Core
/// Data stops after 1,000 rounds and raises an exception (LC-09). The run itself finds endless
/// reactions of observers.
struct WillSaveLoops: InvariantCheck {
  static let invariants: [Invariant] = [.EveryStepTerminates]
  static let signs = EventSigns.failures

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    for case .failed(.willSaveLoop(let object)) in world.graph.result.events {
      found.append(
        Violation(
          .EveryStepTerminates, in: moment.context, object: object,
          detail:
            "willSave changes its object again in each round, and after 1,000 rounds the save "
            + "of \(world.stack[moment.context].name) raises an exception"))
    }
  }
}
