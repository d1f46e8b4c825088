/// The order in which a shrinker runs its passes. All shrinkers share this loop.
///
/// Cheap passes run until none makes progress. Then the last passes run, whose cost grows with the
/// square of the case. As soon as one of them succeeds, the cheap passes run again. The loop ends
/// when no pass makes progress, so the result is minimal with respect to its passes.
package struct PassSchedule<Pass: Equatable> {
  private let cheap: [Pass]
  private let last: [Pass]
  /// A Boolean value that indicates whether a pass that made progress is tried first in the next
  /// round.
  private let favoursSuccess: Bool

  package init(cheap: [Pass], last: [Pass], favoursSuccess: Bool = false) {
    self.cheap = cheap
    self.last = last
    self.favoursSuccess = favoursSuccess
  }

  /// Runs the passes until none makes progress.
  ///
  /// - Parameter run: Runs a pass and returns whether the pass made progress. `isLast` indicates
  ///   whether it is one of the last passes.
  package func run(_ run: (Pass, _ isLast: Bool) -> Bool) {
    var order = cheap
    repeat {
      var makesProgress: Bool
      repeat {
        makesProgress = false
        for pass in order where run(pass, false) {
          makesProgress = true
          guard favoursSuccess else { continue }
          order.removeAll { $0 == pass }
          order.insert(pass, at: 0)
        }
      } while makesProgress
    } while last.contains { run($0, true) }
  }
}
