/// What a strategy may know about the lanes of a world: what they are about to do, and how much.
package protocol SchedulingOutlook {
  /// Of all lanes, also those that have nothing to do.
  var laneCount: Int { get }
  var queueCount: Int { get }

  /// The queues on which the next turn of `lane` may do something, by taking them or because the
  /// lane has them already: those of two turns of which one must not overtake the other meet.
  func nextTurn(of lane: LaneID) -> QueueSet

  /// How many turns `lane` has to take for what it has begun and what stands in the line of its
  /// queue, and for what these will enqueue elsewhere; of those turns, the ones on `queues`.
  func turnsLeft(of lane: LaneID, on queues: QueueSet) -> Int
}

/// Queues by number, the numbers taken modulo 64: a set may seem to have more than it was given.
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
