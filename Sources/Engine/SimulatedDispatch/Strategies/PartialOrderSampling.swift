package import Determinism

/// Partial-order sampling (Yuan et al., CAV 2018). Each pending turn has a random priority. The
/// turn with the highest priority runs, and turns that race with it draw new priorities. Turns
/// independent of it keep their priorities, so equivalent orders are not sampled separately.
package struct PartialOrderSampling: SchedulingStrategy {
  /// The priorities, indexed by lane. Each is `nil` until it is needed.
  private var priorities: [UInt64?] = []

  package init() {}

  package mutating func choose(
    _ decision: SchedulingDecision, in outlook: some SchedulingOutlook, _ generator: inout Generator
  ) -> Int {
    while priorities.count < outlook.laneCount { priorities.append(nil) }
    var (best, highest) = (0, UInt64(0))
    for index in 0..<decision.count {
      let lane = decision[index].index
      let priority = priorities[lane] ?? generator.next()
      priorities[lane] = priority
      if index == 0 || priority > highest { (best, highest) = (index, priority) }
    }
    let turn = outlook.nextTurn(of: decision[best])
    for index in 0..<decision.count
    where index == best || outlook.nextTurn(of: decision[index]).meets(turn) {
      priorities[decision[index].index] = nil
    }
    return best
  }

  package mutating func follow(_ lane: LaneID, in outlook: some SchedulingOutlook) {
    follow(lane, on: QueueSet())
  }

  package mutating func follow(_ lane: LaneID, on queues: QueueSet) {
    if lane.index < priorities.count { priorities[lane.index] = nil }
  }
}
