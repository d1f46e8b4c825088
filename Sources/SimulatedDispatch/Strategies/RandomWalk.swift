package import Determinism

/// Each lane that can run is equally likely. Lanes with much to do then come in last nearly always.
package struct RandomWalk: SchedulingStrategy {
  package init() {}

  package mutating func choose(
    _ decision: SchedulingDecision, in outlook: some SchedulingOutlook, _ generator: inout Generator
  ) -> Int { generator.next(below: decision.count) }
}
