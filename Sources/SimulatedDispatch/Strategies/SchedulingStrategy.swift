package import Determinism

/// A way to search among the schedules of a program. One value a schedule: what it draws for the
/// whole schedule, it draws at its first choice.
package protocol SchedulingStrategy: Sendable {
  /// The number of the alternative that goes, of at least two.
  mutating func choose(
    _ decision: SchedulingDecision, in outlook: some SchedulingOutlook, _ generator: inout Generator
  ) -> Int

  /// Says that `lane` goes because no other lane can.
  mutating func follow(_ lane: LaneID, in outlook: some SchedulingOutlook)

  /// Likewise, of several turns together, which are on `queues`.
  mutating func follow(_ lane: LaneID, on queues: QueueSet)
}

extension SchedulingStrategy {
  package mutating func follow(_ lane: LaneID, in outlook: some SchedulingOutlook) {}

  package mutating func follow(_ lane: LaneID, on queues: QueueSet) {}
}

extension SchedulingDecision {
  /// The number of an alternative, in proportion to its weight; nil if all weights are 0.
  func pick(_ generator: inout Generator, weight: (LaneID) -> Int) -> Int? {
    var (choice, sum) = (Int?.none, 0)
    for index in 0..<count {
      let weight = weight(self[index])
      sum += weight
      // Each takes over with its share of the sum so far: as good as one draw when all are summed,
      // without a list of them.
      if weight > 0, generator.next(below: sum) < weight { choice = index }
    }
    return choice
  }

  /// How many turns `lane` has left, the driver's share of what is to come included.
  func turnsLeft(of lane: LaneID, in outlook: some SchedulingOutlook) -> Int {
    outlook.turnsLeft(of: lane, on: .all) + (lane == driver ? turnsToCome : 0)
  }

  /// About how many turns are left in all.
  func turnsLeft(in outlook: some SchedulingOutlook) -> Int {
    (0..<outlook.laneCount).reduce(turnsToCome) {
      $0 + outlook.turnsLeft(of: LaneID(index: $1), on: .all)
    }
  }
}
