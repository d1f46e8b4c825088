/// A choice among several lanes that can run. A lane is chosen by its number among the
/// alternatives, which are ordered by simplicity. The lane that ran last is first, followed by the
/// other lanes by ID.
///
/// The driver, the thread that submits steps to the world, is always last, so that the world
/// settles before the next step.
@usableFromInline package struct SchedulingDecision: Sendable {
  private let lanes: LaneSet
  package let driver: LaneID
  /// The estimated number of turns for steps that the driver has not received yet.
  package let turnsToCome: Int
  private let driverPosition: Int?
  /// The position of the lane that ran last, unless that lane is the driver.
  private let lastPosition: Int?
  private let isDriverPresent: Bool

  @usableFromInline init(
    lanes: LaneSet, driver: LaneID, turnsToCome: Int, driverPosition: Int?, lastPosition: Int?
  ) {
    self.lanes = lanes
    self.driver = driver
    self.turnsToCome = turnsToCome
    self.driverPosition = driverPosition
    isDriverPresent = driverPosition != nil && driverPosition == lastPosition
    self.lastPosition = isDriverPresent ? nil : lastPosition
  }

  package var count: Int { lanes.count }

  /// The number of the lane that ran last, or `nil` if that lane cannot run.
  package var present: Int? { isDriverPresent ? count - 1 : lastPosition == nil ? nil : 0 }

  /// Calls `body` with all runnable lanes by ID, which is faster than using their numbers.
  func forEachLane(_ body: (LaneID) -> Void) { lanes.forEach(body) }

  /// Returns the number by which a runnable lane is chosen.
  package func number(of lane: LaneID) -> Int {
    if lane == driver { return count - 1 }
    guard let position = lanes.position(of: lane) else {
      preconditionFailure("lane \(lane.index) cannot run")
    }
    if position == lastPosition { return 0 }
    let isMovedBack = lastPosition.map { position < $0 } ?? false
    let isMovedUp = driverPosition.map { $0 < position } ?? false
    return position + (isMovedBack ? 1 : 0) - (isMovedUp ? 1 : 0)
  }

  package subscript(index: Int) -> LaneID {
    if driverPosition != nil && index == lanes.count - 1 { return driver }
    if let lastPosition, index == 0 { return lanes[lastPosition] }

    // Skip the driver and the last lane, which are handled above.
    var position = lastPosition == nil ? index : index - 1
    let driverSkip = driverPosition ?? lanes.count
    let lastSkip = lastPosition ?? lanes.count
    if position >= min(driverSkip, lastSkip) { position += 1 }
    if position >= max(driverSkip, lastSkip) { position += 1 }
    return lanes[position]
  }
}
