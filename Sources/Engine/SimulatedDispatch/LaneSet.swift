/// A set of lanes by ID. Lanes with IDs below 64, usually all lanes, are bits of one number.
/// Looking up such a lane and copying the set allocates no memory and counts no references.
@usableFromInline struct LaneSet: Hashable, Sendable {
  @usableFromInline var firstLanes: UInt64 = 0
  /// The lanes with IDs of 64 and above, by ID.
  @usableFromInline var others: [LaneID] = []
  @usableFromInline var count = 0

  @inlinable init() {}

  /// Returns the number of members with lower IDs, or `nil` if `lane` is not a member.
  @inlinable func position(of lane: LaneID) -> Int? {
    guard lane.index < 64 else {
      let position = insertionPoint(of: lane)
      return isLane(lane, at: position) ? firstLanes.nonzeroBitCount + position : nil
    }
    let bit: UInt64 = 1 << UInt64(lane.index)
    return firstLanes & bit == 0 ? nil : (firstLanes & (bit - 1)).nonzeroBitCount
  }

  @inlinable func contains(_ lane: LaneID) -> Bool { position(of: lane) != nil }

  /// Returns the lane at a position below `count`.
  @inlinable subscript(position: Int) -> LaneID {
    var rest = firstLanes
    for left in stride(from: position, to: 0, by: -1) {
      if rest == 0 { return others[left] }
      rest &= rest - 1
    }
    return rest == 0 ? others[0] : LaneID(index: rest.trailingZeroBitCount)
  }

  /// Calls `body` with each lane, by ID.
  func forEach(_ body: (LaneID) -> Void) {
    var rest = firstLanes
    while rest != 0 {
      body(LaneID(index: rest.trailingZeroBitCount))
      rest &= rest - 1
    }
    others.forEach(body)
  }

  /// Adds or removes `lane`.
  @inlinable mutating func set(_ lane: LaneID, isPresent: Bool) {
    if contains(lane) == isPresent { return }
    count += isPresent ? 1 : -1
    if lane.index < 64 {
      firstLanes ^= 1 << UInt64(lane.index)
    } else if isPresent {
      others.insert(lane, at: insertionPoint(of: lane))
    } else {
      others.remove(at: insertionPoint(of: lane))
    }
  }

  @usableFromInline func isLane(_ lane: LaneID, at position: Int) -> Bool {
    position < others.count && others[position] == lane
  }

  @usableFromInline func insertionPoint(of lane: LaneID) -> Int {
    var low = 0
    var high = others.count
    while low < high {
      let middle = (low + high) / 2
      if others[middle] < lane { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
