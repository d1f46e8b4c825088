package import Determinism

/// Always the simplest alternative. What many bugs need no more than.
package struct InOrder: SchedulingStrategy {
  package init() {}

  package mutating func choose(
    _ decision: SchedulingDecision, in outlook: some SchedulingOutlook, _ generator: inout Generator
  ) -> Int { 0 }
}
