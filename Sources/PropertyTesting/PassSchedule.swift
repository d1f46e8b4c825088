/// In which order a shrinker runs its passes: the one loop of all shrinkers.
///
/// Cheap passes run until none makes progress. Only then the last ones run, whose cost grows
/// with the square of the case; the first that succeeds hands back to the cheap ones. It ends when
/// no pass makes progress, so what it leaves is minimal by its passes.
package struct PassSchedule<Pass: Equatable> {
  private let cheap: [Pass]
  private let last: [Pass]
  /// Whether a pass that made progress is tried first in the next round.
  private let favoursSuccess: Bool

  package init(cheap: [Pass], last: [Pass], favoursSuccess: Bool = false) {
    self.cheap = cheap
    self.last = last
    self.favoursSuccess = favoursSuccess
  }

  /// `run` says whether the pass made progress; `isLast` is whether it is one of the last ones.
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
