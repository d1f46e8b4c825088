import Execution

/// The differential run of a `LiveRun`, in an object that can be exchanged. Code that never
/// continues keeps its `LiveRun` permanently, so that worlds would accumulate with each deadlock.
final class RunBox {
  var run: DifferentialRun

  init(_ run: DifferentialRun) { self.run = run }
}
