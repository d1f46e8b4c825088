/// The knowledge of a strategy about the lanes of a world: their next turns, and how many are left.
package protocol SchedulingOutlook {
  /// The number of all lanes, including lanes without work.
  var laneCount: Int { get }
  var queueCount: Int { get }

  /// Returns the queues that the next turn of `lane` may use, by taking them or because the lane
  /// owns them. If one of two turns must not overtake the other, their sets intersect.
  func nextTurn(of lane: LaneID) -> QueueSet

  /// Returns the number of turns on `queues` that `lane` still has to take. Counts the work that
  /// the lane has begun, the line of its queue, and the work that both will enqueue elsewhere.
  func turnsLeft(of lane: LaneID, on queues: QueueSet) -> Int
}

/// A set of queues by number modulo 64, which may seem to contain queues that were never inserted.
package struct QueueSet: Hashable, Sendable {
  private var bits: UInt64

  package static var all: QueueSet { QueueSet(bits: .max) }

  private init(bits: UInt64) { self.bits = bits }

  package init() { bits = 0 }

  package init(_ queue: QueueID) { bits = 1 << UInt64(queue.index & 63) }

  package var count: Int { bits.nonzeroBitCount }

  package mutating func insert(_ queue: QueueID) { bits |= QueueSet(queue).bits }

  package func union(_ other: QueueSet) -> QueueSet { QueueSet(bits: bits | other.bits) }

  package func intersection(_ other: QueueSet) -> QueueSet { QueueSet(bits: bits & other.bits) }

  package func meets(_ other: QueueSet) -> Bool { bits & other.bits != 0 }
}
