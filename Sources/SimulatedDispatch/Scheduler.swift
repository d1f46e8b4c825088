package import Determinism

/// Decides which lane goes next, by one policy for a whole run, and records what it decided. A
/// value, like the world that it schedules.
package struct Scheduler: Sendable {
  package let policy: SchedulingPolicy
  /// Whether lanes run in order, without overtaking.
  package let isInOrder: Bool
  private var strategy: any SchedulingStrategy

  package init(_ policy: SchedulingPolicy) {
    self.init(policy, strategy: policy.strategy)
  }

  /// A policy with parameters of one's own, for measurements.
  package init(_ policy: SchedulingPolicy, strategy: any SchedulingStrategy) {
    self.policy = policy
    isInOrder = policy == .inOrder
    self.strategy = strategy
  }

  /// Tells the strategy of a turn that was no choice, because no other lane could take it. Nothing
  /// is recorded.
  package mutating func follow(
    _ lane: LaneID, in outlook: some SchedulingOutlook, _ choices: borrowing Choices
  ) {
    if !isInOrder, !choices.isReplayed { strategy.follow(lane, in: outlook) }
  }

  /// As `follow`, of turns that are taken together; `queues` are those that they are on.
  package mutating func follow(
    _ lane: LaneID, on queues: QueueSet, _ choices: borrowing Choices
  ) {
    if !isInOrder, !choices.isReplayed { strategy.follow(lane, on: queues) }
  }

  /// One of the lanes that can run; there must be one. Where there are several, the number of the
  /// chosen one is recorded, but for `inOrder`, whose numbers are all 0.
  package mutating func choose(
    _ decision: SchedulingDecision, in outlook: some SchedulingOutlook,
    _ choices: inout Choices
  ) -> LaneID {
    precondition(decision.count > 0, "no lane can run")
    if isInOrder { return decision[0] }
    if decision.count == 1 {
      follow(decision[0], in: outlook, choices)
      return decision[0]
    }
    let choice = choices.decide(below: decision.count, from: .schedule) { generator in
      strategy.choose(decision, in: outlook, &generator)
    }
    return decision[choice]
  }
}
