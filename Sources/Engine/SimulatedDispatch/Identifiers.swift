/// A serial queue of one dispatcher. Queues are numbered from 0, in order of creation.
@usableFromInline package struct QueueID: Hashable, Comparable, Sendable {
  @usableFromInline package let index: Int

  @inlinable package init(index: Int) { self.index = index }

  @inlinable package static func < (left: QueueID, right: QueueID) -> Bool {
    left.index < right.index
  }
}

/// A simulated thread of one dispatcher. Lanes are numbered from 0, in order of creation.
@usableFromInline package struct LaneID: Hashable, Comparable, Sendable {
  @usableFromInline package let index: Int

  @inlinable package init(index: Int) { self.index = index }

  @inlinable package static func < (left: LaneID, right: LaneID) -> Bool {
    left.index < right.index
  }
}

/// Virtual milliseconds since the world began.
@usableFromInline package struct Instant: Hashable, Comparable, Sendable {
  @usableFromInline package let milliseconds: Int

  @inlinable package init(milliseconds: Int) { self.milliseconds = milliseconds }

  @inlinable package static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }
}
