package import Determinism

/// Uniform random walk (Zhao et al., ASPLOS 2025): a lane is as likely as it has turns left, which
/// makes every interleaving equally likely as long as no lane waits. Nothing is estimated by a
/// trial run: the turns are counted.
///
/// Equally likely also means that what needs a lane to be far ahead of the others is hardly ever
/// seen. So each lane's count is multiplied by a factor in [1/2, 2] that is drawn per schedule.
package struct UniformWalk: SchedulingStrategy {
  private let isJittered: Bool
  /// By lane, in parts of 64.
  private var factors: [Int] = []

  package init(isJittered: Bool = true) { self.isJittered = isJittered }

  package mutating func choose(
    _ decision: SchedulingDecision, in outlook: some SchedulingOutlook, _ generator: inout Generator
  ) -> Int {
    // Code makes lanes as it goes on.
    while factors.count < outlook.laneCount {
      factors.append(isJittered ? 32 + generator.next(below: 97) : 64)
    }
    let factors = factors
    return decision.pick(&generator) { lane in
      // A lane that can run has a turn to take, whatever it counts as.
      factors[lane.index] * max(1, decision.turnsLeft(of: lane, in: outlook))
    } ?? 0
  }
}
