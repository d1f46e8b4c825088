package import Determinism

/// Delay bounding (Emmi et al., POPL 2011). Lanes run in order, except that a few random decisions
/// skip the lane whose turn it is. The number of delays, 1...4, is drawn for each schedule. Several
/// delays may apply to the same decision.
package struct DelayBound: SchedulingStrategy {
  private let counts: ClosedRange<Int>
  /// The decisions that are delayed, numbered from 1, or `nil` before the first decision.
  private var delays: [Int]?
  private var decisionCount = 0

  package init(counts: ClosedRange<Int> = 1...4) { self.counts = counts }

  package mutating func choose(
    _ decision: SchedulingDecision, in outlook: some SchedulingOutlook, _ generator: inout Generator
  ) -> Int {
    let delays = delays ?? draw(decision.turnsLeft(in: outlook), &generator)
    self.delays = delays
    decisionCount += 1
    return delays.count { $0 == decisionCount } % decision.count
  }

  private func draw(_ limit: Int, _ generator: inout Generator) -> [Int] {
    let count = counts.lowerBound + generator.next(below: counts.count)
    return (0..<count).map { _ in 1 + generator.next(below: max(1, limit)) }
  }
}
