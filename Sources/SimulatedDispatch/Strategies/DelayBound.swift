package import Determinism

/// Delay bounding (Emmi et al., POPL 2011): in order, but at a few random decisions the lane whose
/// turn it is is passed over. How many delays there are, 1...4, is drawn per schedule; several may
/// fall on one decision.
package struct DelayBound: SchedulingStrategy {
  private let counts: ClosedRange<Int>
  /// The numbers of decisions, from 1; nil before the first.
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
