package import Determinism

/// Uniform random walk (Zhao et al., ASPLOS 2025). A lane's probability is proportional to its
/// remaining turns. Every interleaving is then equally likely as long as no lane waits. The turns
/// are counted, so no trial run is needed to estimate them.
///
/// With equally likely interleavings, a lane rarely runs far ahead of the others, as some bugs
/// require. So each lane's count is multiplied by a factor in [1/2, 2], drawn for each schedule.
package struct UniformWalk: SchedulingStrategy {
  private let isJittered: Bool
  /// The factors, indexed by lane, in units of 1/64.
  private var factors: [Int] = []

  package init(isJittered: Bool = true) { self.isJittered = isJittered }

  package mutating func choose(
    _ decision: SchedulingDecision, in outlook: some SchedulingOutlook, _ generator: inout Generator
  ) -> Int {
    // Code creates lanes during the run.
    while factors.count < outlook.laneCount {
      factors.append(isJittered ? 32 + generator.next(below: 97) : 64)
    }
    let factors = factors
    return decision.pick(&generator) { lane in
      // A runnable lane has at least one turn to take, even if it counts none.
      factors[lane.index] * max(1, decision.turnsLeft(of: lane, in: outlook))
    } ?? 0
  }
}
