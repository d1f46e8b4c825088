package import Determinism

/// Probabilistic concurrency testing (Burckhardt et al., ASPLOS 2010). Lanes have random
/// priorities, and the runnable lane with the highest priority runs. At d - 1 random decisions, the
/// priority of that lane drops below all others. A bug with d ordering constraints is found with a
/// probability of at least 1/(n·k^(d-1)), for n lanes and k decisions.
///
/// If every run had a change, bugs that need no change would become rare. So d is drawn from 1...3
/// for each schedule. A trial run for k is unnecessary, because the number of remaining turns is
/// known.
package struct PriorityChanges: SchedulingStrategy {
  // Small integers keep the strategy within 24 bytes, so that it needs no memory allocation.
  private let leastDepth: UInt8
  private let greatestDepth: UInt8
  private var depth: UInt8 = 0
  private var decisionCount: UInt32 = 0
  /// The priorities, indexed by lane. Priorities below d - 1 belong to lanes lowered by a change.
  private var priorities: [Int] = []
  /// The decisions at which priorities change, numbered from 1.
  private var changePoints: [Int] = []

  package init(depths: ClosedRange<Int> = 1...3) {
    (leastDepth, greatestDepth) = (UInt8(depths.lowerBound), UInt8(depths.upperBound))
  }

  package mutating func choose(
    _ decision: SchedulingDecision, in outlook: some SchedulingOutlook, _ generator: inout Generator
  ) -> Int {
    if depth == 0 { begin(decision, in: outlook, &generator) }
    rankLanes(outlook.laneCount, &generator)
    decisionCount += 1
    var highest = highest(of: decision)
    for (priority, point) in changePoints.enumerated() where point == Int(decisionCount) {
      priorities[highest.index] = priority
      highest = self.highest(of: decision)
    }
    return decision.number(of: highest)
  }

  private mutating func begin(
    _ decision: SchedulingDecision, in outlook: some SchedulingOutlook, _ generator: inout Generator
  ) {
    depth = leastDepth + UInt8(generator.next(below: Int(greatestDepth - leastDepth) + 1))
    let limit = max(1, decision.turnsLeft(in: outlook))
    for _ in 1..<depth { changePoints.append(1 + generator.next(below: limit)) }
  }

  /// Gives new lanes a priority. Code creates lanes during the run.
  private mutating func rankLanes(_ count: Int, _ generator: inout Generator) {
    for lane in priorities.count..<max(priorities.count, count) {
      // Each new lane takes the place of an earlier lane or the last place, so every order is
      // equally likely.
      let place = generator.next(below: lane + 1)
      priorities.append(Int(depth) - 1 + lane)
      priorities.swapAt(place, lane)
    }
  }

  /// Returns the lane with the highest priority. Priorities are unique, so the order of lanes does
  /// not matter.
  private func highest(of decision: SchedulingDecision) -> LaneID {
    var (highest, greatest) = (LaneID(index: 0), -1)
    decision.forEachLane { lane in
      let priority = priorities[lane.index]
      if priority > greatest { (highest, greatest) = (lane, priority) }
    }
    return highest
  }
}
