package import Determinism

/// Chooses each runnable lane with equal probability. Lanes with much work then nearly always
/// finish last.
package struct RandomWalk: SchedulingStrategy {
  package init() {}

  package mutating func choose(
    _ decision: SchedulingDecision, in outlook: some SchedulingOutlook, _ generator: inout Generator
  ) -> Int { generator.next(below: decision.count) }
}
