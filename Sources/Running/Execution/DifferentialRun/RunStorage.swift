import ReferenceModel
import SimulatedCoreData

/// The memory of a finished run, which the next run of a campaign reuses. A run's behaviour does
/// not depend on earlier runs.
package struct RunStorage {
  var world = WorldStorage()
  var reference = ReferenceStorage()

  package init() {}

  /// Takes the lists of a finished run, which must not be used afterwards.
  mutating func take(from run: inout DifferentialRun) {
    world.take(from: &run.world)
    reference.take(from: &run.reference)
  }
}
