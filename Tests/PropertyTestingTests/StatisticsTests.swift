import PropertyTesting
import Testing

@Suite struct `A ratio` {
  /// Golden values from Wilson's formula with z = 1.95996.
  @Test(
    arguments: [
      (0, 10, 0, 0.2775), (1, 10, 0.0179, 0.4042), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1),
      (50, 100, 0.4038, 0.5962), (0, 0, 0, 1),
    ])
  func `a ratio has Wilson's interval`(part: Int, whole: Int, lower: Double, upper: Double) {
    let interval = Ratio(part, of: whole).interval
    #expect(abs(interval.lowerBound - lower) < 0.00005, "\(interval)")
    #expect(abs(interval.upperBound - upper) < 0.00005, "\(interval)")
  }

  @Test func `a ratio lies within its interval`() {
    for whole in 1...30 {
      for part in 0...whole {
        let ratio = Ratio(part, of: whole)
        #expect(ratio.interval.contains(ratio.share), "\(part) of \(whole)")
      }
    }
  }
}

@Suite struct `Statistics of a sample` {
  @Test func `statistics do not depend on the order of the sample`() {
    #expect(Statistics([3, 1, 2]) == Statistics([1, 2, 3]))
  }

  @Test func `statistics give median, mean, percentiles and spread`() {
    let statistics = Statistics([15, 20, 35, 40, 50])
    #expect(statistics.median == 35)
    #expect(statistics.mean == 32)
    #expect([5, 30, 40, 50, 100].map(statistics.percentile) == [15, 20, 20, 35, 50])
    #expect(statistics.spread == 40 - 20)
    #expect((statistics.minimum, statistics.maximum) == (15, 50))
    #expect(Statistics([1, 2, 3, 10]).median == 2.5)
  }

  @Test func `statistics of an empty sample are zero`() {
    let statistics = Statistics([])
    #expect((statistics.median, statistics.mean, statistics.spread) == (0, 0, 0))
  }
}

@Suite struct `Runs without a failure` {
  /// In fewer than 5 % of campaigns a failure as rare as the answer stays hidden. At twice the
  /// answer, more campaigns miss it.
  @Test(arguments: [(1_000, 330), (500, 160), (20, 6), (1, 1)])
  func `runs without a failure rule out failures that are frequent enough`(runs: Int, rarest: Int) {
    #expect(Ratio.rarestShown(byRuns: runs) == rarest)
    func hidden(_ rarity: Int) -> Double {
      (0..<runs).reduce(1.0) { share, _ in share * (1 - 1 / Double(rarity)) }
    }
    if runs > 20 {
      #expect(hidden(rarest) < 0.05)
      #expect(hidden(2 * rarest) > 0.05)
    }
  }
}
