import Determinism
import PropertyTesting
import SimulatedDispatch

/// The share of a strategy's schedules that show a bug.
enum HitRate {
  /// Returns the share of `count` schedules, each by the policy that `policy` draws. It is the same
  /// in every process.
  static func of(
    _ toy: Toy, schedules count: Int, by policy: (inout Choices) -> SchedulingPolicy
  ) -> Ratio {
    let hits = (0..<count).count { index in
      var choices = Choices(seed: Generator.derive(1, UInt64(index)))
      let scheduler = Scheduler(policy(&choices))
      return toy.isHit(toy.run(scheduler, &choices))
    }
    return Ratio(hits, of: count)
  }

  static func of(_ toy: Toy, _ policy: SchedulingPolicy, schedules count: Int) -> Ratio {
    of(toy, schedules: count) { _ in policy }
  }

  static func ofPortfolio(_ toy: Toy, schedules count: Int) -> Ratio {
    of(toy, schedules: count) { Portfolio.standard.policy(&$0) }
  }

  /// Returns a table with a row for each toy and one for the worst of each column. It has a column
  /// for each policy and one for the portfolio. Shares are in parts of 1000, with their intervals.
  static func table(schedules count: Int) -> String {
    let policies = SchedulingPolicy.allCases
    var worst: [Ratio?] = Array(repeating: nil, count: policies.count + 1)
    var lines = ["| bug | " + policies.map(\.rawValue).joined(separator: " | ") + " | portfolio |"]
    lines.append("|---" + String(repeating: "|---", count: policies.count + 1) + "|")
    for toy in Toy.all {
      var cells = policies.map { of(toy, $0, schedules: count) }
      cells.append(ofPortfolio(toy, schedules: count))
      lines.append("| \(toy.name) | " + cells.map(\.thousandths).joined(separator: " | ") + " |")
      worst = zip(worst, cells).map { worst, cell in
        worst.map { $0.part < cell.part ? $0 : cell } ?? cell
      }
    }
    let cells = worst.compactMap { $0?.thousandths }
    lines.append("| **worst case** | " + cells.joined(separator: " | ") + " |")
    return lines.joined(separator: "\n")
  }
}

extension Ratio {
  /// The share in parts of 1000, with the interval in which the true share lies with 95 %
  /// confidence.
  var thousandths: String {
    "\(share.thousandths) (\(interval.lowerBound.thousandths)–\(interval.upperBound.thousandths))"
  }

  /// Returns whether the share is certainly greater, because the intervals do not touch.
  func isSurelyAbove(_ other: Ratio) -> Bool {
    interval.lowerBound > other.interval.upperBound
  }
}

extension Double {
  var thousandths: String { "\(Int(self * 1000 + 0.5))" }
}
