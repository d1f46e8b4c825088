package import Determinism

/// Probabilistic concurrency testing (Burckhardt et al., ASPLOS 2010): the lane with the highest of
/// random priorities goes, and at d - 1 random decisions it falls behind all others. A bug that d
/// ordering constraints make is found with probability 1/(n·k^(d-1)) at least, for n lanes and k
/// decisions.
///
/// With a change inside the run for sure, bugs that need none become rare: so d is drawn from 1...3
/// per schedule. k needs no trial run, the number of turns that are left is known.
package struct PriorityChanges: SchedulingStrategy {
  // Small numbers: in 24 bytes a strategy allocates no memory.
  private let leastDepth: UInt8
  private let greatestDepth: UInt8
  private var depth: UInt8 = 0
  private var decisionCount: UInt32 = 0
  /// By lane. Those that a change has lowered are below d - 1.
  private var priorities: [Int] = []
  /// The numbers of the decisions at which priorities change, from 1.
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

  /// Code makes lanes as it goes on.
  private mutating func rankLanes(_ count: Int, _ generator: inout Generator) {
    for lane in priorities.count..<max(priorities.count, count) {
      // Each new one takes the place of one before it, or the last: every order is equally likely.
      let place = generator.next(below: lane + 1)
      priorities.append(Int(depth) - 1 + lane)
      priorities.swapAt(place, lane)
    }
  }

  /// No two lanes have one priority, so it does not matter which is looked at first.
  private func highest(of decision: SchedulingDecision) -> LaneID {
    var (highest, greatest) = (LaneID(index: 0), -1)
    decision.forEachLane { lane in
      let priority = priorities[lane.index]
      if priority > greatest { (highest, greatest) = (lane, priority) }
    }
    return highest
  }
}
