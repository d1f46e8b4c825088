package import Determinism

/// Keeps the present lane with a probability of 1/2, 3/4, 7/8 or 15/16, drawn for each schedule.
/// Otherwise each other lane is equally likely. Finds bugs that need few switches far apart.
package struct StickyWalk: SchedulingStrategy {
  /// The inverse of the probability that the present lane gives way.
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
