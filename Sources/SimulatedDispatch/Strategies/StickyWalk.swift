package import Determinism

/// The present lane goes on with a probability of 1/2, 3/4, 7/8 or 15/16, drawn per schedule; else
/// each other is equally likely. Finds what needs few switches far apart.
package struct StickyWalk: SchedulingStrategy {
  /// The present lane gives way in one of so many decisions.
  private var leavesInOneOf: Int?

  package init(leavesInOneOf count: Int? = nil) { leavesInOneOf = count }

  package mutating func choose(
    _ decision: SchedulingDecision, in outlook: some SchedulingOutlook, _ generator: inout Generator
  ) -> Int {
    let count = leavesInOneOf ?? 2 << generator.next(below: 4)
    leavesInOneOf = count
    guard let present = decision.present else { return generator.next(below: decision.count) }
    if generator.next(below: count) > 0 { return present }
    let other = generator.next(below: decision.count - 1)
    return other < present ? other : other + 1
  }
}
