/// The lanes that can run, and the lane that ran last.
@usableFromInline struct ReadyLanes: Hashable, Sendable {
  @usableFromInline var lanes = LaneSet()
  @usableFromInline var lastRan: LaneID?

  @inlinable init() {}

  @inlinable var count: Int { lanes.count }

  /// The lane that can run, or `nil` if none or several can.
  @inlinable var only: LaneID? { lanes.count == 1 ? lanes[0] : nil }

  /// The lane that ran last, followed by the other lanes by ID.
  var inOrder: [LaneID] {
    var ordered = (0..<lanes.count).map { lanes[$0] }
    guard let lastRan, let position = lanes.position(of: lastRan), position > 0 else {
      return ordered
    }
    ordered.remove(at: position)
    ordered.insert(lastRan, at: 0)
    return ordered
  }

  /// Returns the choice among the lanes. `turnsToCome` estimates the turns of steps that the driver
  /// has not received yet.
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
