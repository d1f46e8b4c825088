import Determinism
import PropertyTesting
import SimulatedDispatch

/// How often the schedules of a strategy show a bug.
enum HitRate {
  /// Of `count` schedules. The same in every process.
  static func of(
    _ toy: Toy, _ scheduler: Scheduler, schedules count: Int, seed: UInt64 = 1
  ) -> Ratio {
    var hits = 0
    for index in 0..<count {
      var choices = Choices(seed: Generator.derive(seed, UInt64(index)))
      if toy.isHit(toy.run(scheduler, &choices)) { hits += 1 }
    }
    return Ratio(hits, of: count)
  }

  /// Of the policies that a portfolio draws.
  static func of(
    _ toy: Toy, _ portfolio: Portfolio, schedules count: Int, seed: UInt64 = 1
  ) -> Ratio {
    var hits = 0
    for index in 0..<count {
      var choices = Choices(seed: Generator.derive(seed, UInt64(index)))
      let policy = portfolio.policy(&choices)
      if toy.isHit(toy.run(Scheduler(policy), &choices)) { hits += 1 }
    }
    return Ratio(hits, of: count)
  }

  /// A row for each toy, a column for each policy and one for the portfolio: shares in parts of 1000,
  /// and how far the 95 % interval goes to either side.
  static func table(schedules count: Int) -> String {
    let policies = SchedulingPolicy.allCases
    var lines = ["| bug | " + policies.map(\.rawValue).joined(separator: " | ") + " | portfolio |"]
    lines.append("|---" + String(repeating: "|---", count: policies.count + 1) + "|")
    for toy in Toy.all {
      var cells = policies.map { of(toy, Scheduler($0), schedules: count) }
      cells.append(of(toy, Portfolio.standard, schedules: count))
      lines.append("| \(toy.name) | " + cells.map(text).joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n")
  }

  private static func text(_ ratio: Ratio) -> String {
    let interval = ratio.interval
    let bounds = [interval.lowerBound, interval.upperBound].map { String(Int($0 * 1000 + 0.5)) }
    return "\(Int(ratio.share * 1000 + 0.5)) (\(bounds.joined(separator: "–")))"
  }
}

extension Ratio {
  /// Whether the shares differ for sure: their intervals do not touch.
  func isSurelyAbove(_ other: Ratio) -> Bool {
    interval.lowerBound > other.interval.upperBound
  }
}
