/// Several lanes can run, and one has to be chosen: by its number among the alternatives, which are
/// in the order of simplicity. First comes the lane that ran last, then the others by id. The
/// driver, the thread that feeds the world and lets it settle first, comes last wherever it would
/// stand otherwise.
@usableFromInline package struct SchedulingDecision: Sendable {
  private let lanes: LaneSet
  package let driver: LaneID
  /// About how many turns the world will take for what the driver has not been handed yet.
  package let turnsToCome: Int
  private let driverPosition: Int?
  /// Of the lane that ran last, if it is another than the driver.
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

  /// The number of the lane that ran last; nil if it cannot go on.
  package var present: Int? { isDriverPresent ? count - 1 : lastPosition == nil ? nil : 0 }

  /// All that can run, by id: faster than one number after the other.
  func forEachLane(_ body: (LaneID) -> Void) { lanes.forEach(body) }

  /// By which number a lane is chosen that can run.
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

    // Those two are told apart above; count past them.
    var position = lastPosition == nil ? index : index - 1
    let driverSkip = driverPosition ?? lanes.count
    let lastSkip = lastPosition ?? lanes.count
    if position >= min(driverSkip, lastSkip) { position += 1 }
    if position >= max(driverSkip, lastSkip) { position += 1 }
    return lanes[position]
  }
}
