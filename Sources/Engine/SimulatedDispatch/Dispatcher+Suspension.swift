/// Counterpart of `DispatchQueue.suspend()` and `resume()`.
extension Dispatcher {
  /// Stops `queue` from being given to a block or a lane in line. The present owner finishes, and
  /// may take the queue again before that. Each call needs one `resume`. §suspend.2
  @inlinable package mutating func suspend(_ queue: QueueID) {
    queues[queue.index].suspensionCount += 1
    suspensionCount += 1
  }

  /// Reverses one `suspend`. After the last, the queue passes to the next in line. §resume.3
  @inlinable package mutating func resume(_ queue: QueueID) {
    precondition(isSuspended(queue), "queue \(queue.index) is resumed but not suspended")
    queues[queue.index].suspensionCount -= 1
    suspensionCount -= 1
    beginNext(on: queue)
  }

  @inlinable package func isSuspended(_ queue: QueueID) -> Bool { suspensionCount(of: queue) > 0 }

  /// Returns the number of calls of `resume` that are still needed.
  @inlinable package func suspensionCount(of queue: QueueID) -> Int {
    queues[queue.index].suspensionCount
  }

  @inlinable package var suspendedQueues: [QueueID] {
    if suspensionCount == 0 { return [] }
    return queueIDs.filter(isSuspended)
  }

  /// Returns a Boolean value that indicates whether a block or a lane waits in line for `queue`.
  @inlinable package func hasLine(_ queue: QueueID) -> Bool { queues[queue.index].line.count > 0 }

  @inlinable package var queueIDs: [QueueID] { (0..<queues.count).map { QueueID(index: $0) } }
}
