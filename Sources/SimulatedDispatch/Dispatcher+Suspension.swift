/// Counterpart of `DispatchQueue.suspend()` and `resume()`.
extension Dispatcher {
  /// Keeps `queue` from being given away: neither a block nor a lane in line gets it. Its owner
  /// goes on to its end, and may take it again. Each call needs one `resume`. §suspend.2
  @inlinable package mutating func suspend(_ queue: QueueID) {
    queues[queue.index].suspensionCount += 1
    suspensionCount += 1
  }

  /// Takes back one `suspend`. After the last the queue goes to the next in line. §resume.3
  @inlinable package mutating func resume(_ queue: QueueID) {
    precondition(isSuspended(queue), "queue \(queue.index) is resumed but not suspended")
    queues[queue.index].suspensionCount -= 1
    suspensionCount -= 1
    beginNext(on: queue)
  }

  @inlinable package func isSuspended(_ queue: QueueID) -> Bool { suspensionCount(of: queue) > 0 }

  /// How many calls of `resume` are due.
  @inlinable package func suspensionCount(of queue: QueueID) -> Int {
    queues[queue.index].suspensionCount
  }

  /// The queues that are suspended now, by number.
  @inlinable package var suspendedQueues: [QueueID] {
    if suspensionCount == 0 { return [] }
    return queueIDs.filter(isSuspended)
  }

  /// Whether a block or a lane stands in line.
  @inlinable package func hasLine(_ queue: QueueID) -> Bool { queues[queue.index].line.count > 0 }

  @inlinable package var queueIDs: [QueueID] { (0..<queues.count).map { QueueID(index: $0) } }
}
