/// The lanes that can run, and which of them ran last.
@usableFromInline struct ReadyLanes: Hashable, Sendable {
  /// By id.
  private var lanes: [LaneID] = []
  @usableFromInline var lastRan: LaneID?

  @usableFromInline var count: Int { lanes.count }

  /// First the one that ran last, then the others by id.
  var inOrder: [LaneID] {
    guard let lastRan, let position = position(of: lastRan), position > 0 else { return lanes }
    var ordered = lanes
    ordered.remove(at: position)
    ordered.insert(lastRan, at: 0)
    return ordered
  }

  /// What there is to choose from, with `turnsToCome` of the driver besides those it has begun.
  @usableFromInline func decision(driver: LaneID, turnsToCome: Int) -> SchedulingDecision {
    SchedulingDecision(
      lanes: lanes, driver: driver, turnsToCome: turnsToCome, driverPosition: position(of: driver),
      lastPosition: lastRan.flatMap { position(of: $0) })
  }

  func contains(_ lane: LaneID) -> Bool { position(of: lane) != nil }

  @usableFromInline mutating func list(_ lane: LaneID, canRun: Bool) {
    let position = insertionPoint(of: lane)
    let isListed = position < lanes.count && lanes[position] == lane
    switch (canRun, isListed) {
    case (true, false): lanes.insert(lane, at: position)
    case (false, true): lanes.remove(at: position)
    case (true, true), (false, false): break
    }
  }

  @inline(__always) private func position(of lane: LaneID) -> Int? {
    let position = insertionPoint(of: lane)
    return position < lanes.count && lanes[position] == lane ? position : nil
  }

  @inline(__always) private func insertionPoint(of lane: LaneID) -> Int {
    var low = 0
    var high = lanes.count
    while low < high {
      let middle = (low + high) / 2
      if lanes[middle] < lane { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
