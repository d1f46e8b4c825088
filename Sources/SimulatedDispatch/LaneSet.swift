/// Lanes by id. Those with ids below 64, which mostly are all, are bits of one number: to look for
/// one, and to copy the set, takes no memory and no count of references.
@usableFromInline struct LaneSet: Hashable, Sendable {
  @usableFromInline var firstLanes: UInt64 = 0
  /// The others, by id.
  @usableFromInline var others: [LaneID] = []
  @usableFromInline var count = 0

  @inlinable init() {}

  /// How many lanes with lower ids there are; nil if `lane` is not one of them.
  @inlinable func position(of lane: LaneID) -> Int? {
    guard lane.index < 64 else {
      let position = insertionPoint(of: lane)
      return isLane(lane, at: position) ? firstLanes.nonzeroBitCount + position : nil
    }
    let bit: UInt64 = 1 << UInt64(lane.index)
    return firstLanes & bit == 0 ? nil : (firstLanes & (bit - 1)).nonzeroBitCount
  }

  @inlinable func contains(_ lane: LaneID) -> Bool { position(of: lane) != nil }

  /// The lane at a position below `count`.
  @inlinable subscript(position: Int) -> LaneID {
    var rest = firstLanes
    for left in stride(from: position, to: 0, by: -1) {
      if rest == 0 { return others[left] }
      rest &= rest - 1
    }
    return rest == 0 ? others[0] : LaneID(index: rest.trailingZeroBitCount)
  }

  /// By id.
  func forEach(_ body: (LaneID) -> Void) {
    var rest = firstLanes
    while rest != 0 {
      body(LaneID(index: rest.trailingZeroBitCount))
      rest &= rest - 1
    }
    others.forEach(body)
  }

  /// Makes `lane` one of them, or none of them.
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
