import Vocabulary

/// Serial queues. A queue has one owner, and one line of blocks and waiting lanes in the order of
/// arrival.
extension ReferenceLanes {
  /// Enqueues a block, which the lane of the queue runs. §enqueue
  mutating func enqueue(_ work: Work, on queue: Int) {
    if canBegin(on: queue) { return begin(work, on: queue) }
    queues[queue].line.append(.block(work, queue: queue))
  }

  /// Takes a queue for a lane. Returns false if the lane stands in line. §take-queue
  mutating func take(_ queue: Int, _ lane: Int, isReentrant: Bool) -> Bool {
    if isReentrant, has(lane, queue) {
      queues[queue].holdCount += 1
      return true
    }
    if canBegin(on: queue) {
      hand(queue, to: lane)
      return true
    }
    lanes[lane].awaited = queue
    queues[queue].line.append(.lane(lane))
    return false
  }

  /// Releases the last of the queues that the lane has asked for, the last one first.
  /// §perform-action.9
  mutating func release(_ count: Int, of lane: Int) {
    for _ in 0..<count { if let queue = lanes[lane].needs.popLast() { release(queue) } }
  }

  /// Releases a queue. §release-queue
  mutating func release(_ queue: Int) {
    queues[queue].holdCount -= 1
    if queues[queue].holdCount > 0 { return }
    if queue == 0, let owner = queues[queue].owner { lanes[owner].isWithout = [] }
    queues[queue].owner = nil
    beginNext(on: queue)
  }

  /// Ends a block when its lane has nothing left to do. §enqueue.1.2
  mutating func finishIfIdle(_ lane: Int) {
    if lane != driver, lanes[lane].work.isEmpty { release(lane) }
  }

  /// Passes a queue on. §pass-queue
  private mutating func beginNext(on queue: Int) {
    guard queues[queue].isFree, !queues[queue].line.isEmpty else { return }
    switch queues[queue].line.removeFirst() {
    case .lane(let lane):
      lanes[lane].awaited = nil
      hand(queue, to: lane)
    case .block(let work, queue: _): begin(work, on: queue)
    }
  }

  /// Returns true if a queue is free and its line is empty.
  private func canBegin(on queue: Int) -> Bool {
    queues[queue].isFree && queues[queue].line.isEmpty
  }

  /// Makes a lane the owner of a queue.
  private mutating func hand(_ queue: Int, to lane: Int) {
    queues[queue].holdCount = 1
    queues[queue].owner = lane
  }

  private mutating func begin(_ work: Work, on queue: Int) {
    hand(queue, to: queue)
    push(work, queue)
  }

  /// Suspends or resumes a queue. Dispatch does nothing for the main queue, and crashes at a resume
  /// of a queue that is not suspended. §suspend, §resume
  mutating func suspend(_ queue: Int, by change: Int) {
    if queue == 0 || queues[queue].suspensionCount + change < 0 { return }
    queues[queue].suspensionCount += change
    beginNext(on: queue)
  }

  // MARK: Contexts that are let go of

  /// Decides whether a `discard` is due at once, because nothing but the lane holds the context
  /// (CC-19). §release-context.4
  func releasesAtOnce(of context: ContextID, _ lane: Int) -> Bool {
    has(lane, queue(of: context)) && !isAwaited(context)
      && queueThatHolds(context, besides: lane) == nil
  }

  /// Finds the first queue, other than the context's own, with a block that holds the context.
  /// §release-context.2
  func queueThatHolds(_ context: ContextID, besides lane: Int) -> Int? {
    queues.indices.first { queue in
      guard queue != self.queue(of: context) else { return false }
      return queue != lane && lanes[queue].work.contains { $0.holds(context) }
        || hasBlockInLine(queue, holding: context)
    }
  }

  /// Returns true if a block or lane that holds the context stands in the line of its queue.
  /// §release-context.4
  private func isAwaited(_ context: ContextID) -> Bool {
    let queue = queue(of: context)
    return hasBlockInLine(queue, holding: context)
      || lanes.contains { lane in
        lane.awaited == queue && lane.work.contains { $0.holds(context) }
      }
  }

  private func hasBlockInLine(_ queue: Int, holding context: ContextID) -> Bool {
    queues[queue].line.contains { entry in
      guard case .block(let work, queue: _) = entry else { return false }
      return work.holds(context)
    }
  }
}
