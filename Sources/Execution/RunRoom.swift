import ReferenceModel
import SimulatedCoreData

/// The memory of a run that has ended, for the next: a campaign makes its runs in it, one after the
/// other. What a run does depends on none before it.
package struct RunRoom {
  var world = WorldRoom()
  var reference = ReferenceRoom()

  package init() {}

  /// Takes what a run has taken up that nothing will look at any more.
  mutating func take(from run: inout DifferentialRun) {
    world.take(from: &run.world)
    reference.take(from: &run.reference)
  }
}
