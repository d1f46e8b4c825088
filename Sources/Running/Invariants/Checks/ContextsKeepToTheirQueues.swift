import Failures
import SimulatedCoreData
import Vocabulary

/// Checks that a context is used only on its queue. The literature calls the violation a data race.
/// Core Data stops at it if concurrency debugging is on (CC-12).
struct QueueConfinement: InvariantCheck {
  static let invariants: [Invariant] = [.ContextsKeepToTheirQueues]

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    guard case .wrongQueue(let context) = moment.action else { return }
    var violation = Violation(
      .ContextsKeepToTheirQueues, in: context,
      detail: "from \(world.place(of: moment.lane)); its queue is "
        + world.name(of: world.queue(of: context)))
    if moment.author.isDesign { violation.site = .stack }
    violation.step = world.latestStep(of: moment.lane)
    found.append(violation)
  }
}
