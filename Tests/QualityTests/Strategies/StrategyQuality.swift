import Determinism
import PropertyTesting
import SimulatedDispatch
import Testing

/// Measures the claims about strategies, by the share of schedules that show a bug. A strategy is
/// called better than another only if their 95 % intervals do not touch.
@Suite struct `Comparisons of strategies` {
  private func rate(_ toy: Toy, _ policy: SchedulingPolicy, schedules: Int = 300) -> Ratio {
    HitRate.of(toy, policy, schedules: schedules)
  }

  @Test func `a uniform walk finds deadlocks of three queues more often than a random one`() {
    let toy = Toy.deadlock(of: 3)
    #expect(rate(toy, .uniformWalk).isSurelyAbove(rate(toy, .random)))
  }

  @Test func `a uniform walk finds lost updates more often than a random one`() {
    #expect(rate(.lostUpdate, .uniformWalk).isSurelyAbove(rate(.lostUpdate, .random)))
  }

  @Test func `priorities make a short block come last, and a random walk does not`() {
    let priorities = rate(.shortBlockLast, .pct)
    #expect(priorities.interval.lowerBound > 0.05, "\(priorities)")
    #expect(rate(.shortBlockLast, .random).part <= 1)
  }

  @Test func `a bug that needs no luck is always found in order`() {
    let inOrder = Toy.all.map { rate($0, .inOrder, schedules: 2) }
    // There is one schedule, whatever the seed is.
    #expect(inOrder.allSatisfy { $0.part == 0 || $0.part == 2 })
  }

  @Test func `the portfolio has the best worst case`() throws {
    let count = 2_000
    let portfolio = try #require(
      Toy.all.map { HitRate.ofPortfolio($0, schedules: count) }.min { $0.part < $1.part })
    // One toy whose bug a policy finds less often is enough.
    for policy in SchedulingPolicy.allCases {
      let isWorse = Toy.all.contains {
        portfolio.isSurelyAbove(rate($0, policy, schedules: count))
      }
      #expect(isWorse, "\(portfolio), \(policy)")
    }
  }

  @Test func `a measurement is the same every time`() {
    let table = HitRate.table(schedules: 10)
    #expect(table == HitRate.table(schedules: 10))
    #expect(table.split(separator: "\n").count == Toy.all.count + 3)
  }
}
