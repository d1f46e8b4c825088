/// The lanes that can run, and which of them ran last.
@usableFromInline struct ReadyLanes: Hashable, Sendable {
  @usableFromInline var lanes = LaneSet()
  @usableFromInline var lastRan: LaneID?

  @inlinable init() {}

  @inlinable var count: Int { lanes.count }

  /// Nil if there are none, or several.
  @inlinable var only: LaneID? { lanes.count == 1 ? lanes[0] : nil }

  /// First the one that ran last, then the others by id.
  var inOrder: [LaneID] {
    var ordered = (0..<lanes.count).map { lanes[$0] }
    guard let lastRan, let position = lanes.position(of: lastRan), position > 0 else {
      return ordered
    }
    ordered.remove(at: position)
    ordered.insert(lastRan, at: 0)
    return ordered
  }

  /// What there is to choose from, with `turnsToCome` of the driver besides those it has begun.
  @inlinable func decision(driver: LaneID, turnsToCome: Int) -> SchedulingDecision {
    SchedulingDecision(
      lanes: lanes, driver: driver, turnsToCome: turnsToCome,
      driverPosition: lanes.position(of: driver),
      lastPosition: lastRan.flatMap { lanes.position(of: $0) })
  }

  func contains(_ lane: LaneID) -> Bool { lanes.contains(lane) }

  @inlinable mutating func list(_ lane: LaneID, canRun: Bool) {
    lanes.set(lane, isPresent: canRun)
  }
}
