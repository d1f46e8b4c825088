/// The lanes that can run, and which of them ran last.
@usableFromInline struct ReadyLanes: Hashable, Sendable {
  /// By id.
  private var lanes: [LaneID] = []
  /// Those with ids below 64, which mostly are all: where one stands is how many bits are below its own.
  private var firstLanes: UInt64 = 0
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
    if canRun == isListed { return }
    if canRun { lanes.insert(lane, at: position) } else { lanes.remove(at: position) }
    if lane.index < 64 { firstLanes ^= 1 << UInt64(lane.index) }
  }

  @inline(__always) private func position(of lane: LaneID) -> Int? {
    if lane.index < 64 {
      let bit: UInt64 = 1 << UInt64(lane.index)
      return firstLanes & bit == 0 ? nil : (firstLanes & (bit - 1)).nonzeroBitCount
    }
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
