package import Determinism

/// Chooses the next lane by one policy for a whole run, and records the choices. A value, like the
/// world that it schedules.
package struct Scheduler: Sendable {
  package let policy: SchedulingPolicy
  /// A Boolean value that indicates whether lanes run in order, without overtaking.
  package let isInOrder: Bool
  private var strategy: any SchedulingStrategy

  package init(_ policy: SchedulingPolicy) {
    self.init(policy, strategy: policy.strategy)
  }

  /// Creates a scheduler whose strategy has custom parameters, for measurements.
  package init(_ policy: SchedulingPolicy, strategy: any SchedulingStrategy) {
    self.policy = policy
    isInOrder = policy == .inOrder
    self.strategy = strategy
  }

  /// Notifies the strategy of a turn without a choice, because no other lane could run. Records
  /// nothing.
  package mutating func follow(
    _ lane: LaneID, in outlook: some SchedulingOutlook, _ choices: borrowing Choices
  ) {
    if !isInOrder, !choices.isReplayed { strategy.follow(lane, in: outlook) }
  }

  /// Notifies the strategy of several turns without a choice, which take place on `queues`.
  package mutating func follow(
    _ lane: LaneID, on queues: QueueSet, _ choices: borrowing Choices
  ) {
    if !isInOrder, !choices.isReplayed { strategy.follow(lane, on: queues) }
  }

  /// Returns one of the lanes that can run. At least one lane must be runnable. If several are,
  /// records the number of the chosen lane, except for `inOrder`, whose numbers are all 0.
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
