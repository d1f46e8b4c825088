import ReferenceModel
import SimulatedCoreData

/// The memory of a run that has ended, for the next: a campaign makes its runs in it, one after the
/// other. What a run does depends on none before it.
package struct RunRoom {
  var world = WorldRoom()
  var reference = ReferenceRoom()

  package init() {}

  /// Takes the lists of a run that has ended, which must not be used afterwards.
  mutating func take(from run: inout DifferentialRun) {
    world.take(from: &run.world)
    reference.take(from: &run.reference)
  }
}
