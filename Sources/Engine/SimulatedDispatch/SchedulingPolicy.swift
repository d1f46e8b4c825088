/// A rule that chooses the next lane, fixed for a run. Every policy except `inOrder` lets lanes
/// overtake each other.
///
/// A replay is not a separate policy. Every policy records its choices as numbers of alternatives,
/// and a replay reads these numbers. Once the recording ends, `random` chooses as `inOrder` does.
package enum SchedulingPolicy: String, CaseIterable, Hashable, Sendable {
  /// Chooses the lane that ran last while it can run, then the lane with the lowest ID. Chooses the
  /// driver only when no other lane can run.
  case inOrder
  case random, sticky, pct, delayBounded, partialOrder, uniformWalk, selectiveWalk

  /// A one-line description for users who choose a policy.
  package var summary: String {
    switch self {
    case .inOrder: "no lane overtakes another"
    case .random: "each lane that can run is equally likely"
    case .sticky: "as random, but the present lane mostly goes on"
    case .pct: "the highest of random priorities, which one or two changes turn over"
    case .delayBounded: "in order, but for one to four delays"
    case .partialOrder: "a priority for each turn, drawn anew when a rival was faster"
    case .uniformWalk: "in proportion to the turns that a lane still has to take"
    case .selectiveWalk: "as uniformWalk, for the turns on one queue"
    }
  }

  package var strategy: any SchedulingStrategy {
    switch self {
    case .inOrder: InOrder()
    case .random: RandomWalk()
    case .sticky: StickyWalk()
    case .pct: PriorityChanges()
    case .delayBounded: DelayBound()
    case .partialOrder: PartialOrderSampling()
    case .uniformWalk: UniformWalk()
    case .selectiveWalk: SelectiveWalk()
    }
  }

  /// Returns all lanes that can run, each at the number by which it is chosen.
  package static func alternatives<Frame>(
    in dispatcher: Dispatcher<Frame>, driver: LaneID
  ) -> [LaneID] {
    let decision = dispatcher.decision(driver: driver)
    return (0..<decision.count).map { decision[$0] }
  }
}
