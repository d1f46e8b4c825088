import Execution

/// A run apart from its `LiveRun`: code that never goes on keeps the latter for good, and the two
/// kilobytes of this one would add up from deadlock to deadlock.
final class HeldRun {
  var run: DifferentialRun

  init(_ run: DifferentialRun) { self.run = run }
}
