package import Determinism

/// Always chooses the simplest alternative. Many bugs need no other schedule.
package struct InOrder: SchedulingStrategy {
  package init() {}

  package mutating func choose(
    _ decision: SchedulingDecision, in outlook: some SchedulingOutlook, _ generator: inout Generator
  ) -> Int { 0 }
}
