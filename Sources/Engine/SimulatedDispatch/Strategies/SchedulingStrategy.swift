package import Determinism

/// A way to search the schedules of a program. Each schedule has a new strategy value, which draws
/// the parameters of the whole schedule at its first choice.
package protocol SchedulingStrategy: Sendable {
  /// Returns the number of the chosen alternative, of at least two.
  mutating func choose(
    _ decision: SchedulingDecision, in outlook: some SchedulingOutlook, _ generator: inout Generator
  ) -> Int

  /// Notifies the strategy that `lane` runs because no other lane can.
  mutating func follow(_ lane: LaneID, in outlook: some SchedulingOutlook)

  /// Notifies the strategy of several such turns together, which take place on `queues`.
  mutating func follow(_ lane: LaneID, on queues: QueueSet)
}

extension SchedulingStrategy {
  package mutating func follow(_ lane: LaneID, in outlook: some SchedulingOutlook) {}

  package mutating func follow(_ lane: LaneID, on queues: QueueSet) {}
}

extension SchedulingDecision {
  /// Returns the number of an alternative, in proportion to its weight, or `nil` if all weights are
  /// 0.
  func pick(_ generator: inout Generator, weight: (LaneID) -> Int) -> Int? {
    var (choice, sum) = (Int?.none, 0)
    for index in 0..<count {
      let weight = weight(self[index])
      sum += weight
      // Each alternative replaces the choice with the probability of its share of the sum so far.
      // The result equals one draw from the total, without a list of weights.
      if weight > 0, generator.next(below: sum) < weight { choice = index }
    }
    return choice
  }

  /// Returns the number of turns that `lane` has left. For the driver, includes `turnsToCome`.
  func turnsLeft(of lane: LaneID, in outlook: some SchedulingOutlook) -> Int {
    outlook.turnsLeft(of: lane, on: .all) + (lane == driver ? turnsToCome : 0)
  }

  /// Returns the estimated number of turns left in total.
  func turnsLeft(in outlook: some SchedulingOutlook) -> Int {
    (0..<outlook.laneCount).reduce(turnsToCome) {
      $0 + outlook.turnsLeft(of: LaneID(index: $1), on: .all)
    }
  }
}
