import Vocabulary

/// Serial queues: one owner, one line for blocks and for lanes that wait, in the order of arrival.
extension ReferenceLanes {
  /// Enqueues a block. The lane of a queue runs its blocks.
  mutating func enqueue(_ deed: Deed, on queue: Int) {
    if canBegin(on: queue) { return begin(deed, on: queue) }
    queues[queue].line.append(.block(deed, queue: queue))
  }

  /// Whether the lane has the queue now; it stands in line otherwise.
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

  /// The last of the queues that the lane has asked for go back, so many, the last one first.
  mutating func release(_ count: Int, of lane: Int) {
    for _ in 0..<count { if let queue = lanes[lane].needs.popLast() { release(queue) } }
  }

  mutating func release(_ queue: Int) {
    queues[queue].holdCount -= 1
    if queues[queue].holdCount > 0 { return }
    if queue == 0, let owner = queues[queue].owner { lanes[owner].isWithout = [] }
    queues[queue].owner = nil
    beginNext(on: queue)
  }

  /// A block is over when its lane has nothing left to do.
  mutating func finishIfIdle(_ lane: Int) {
    if lane != driver, lanes[lane].deeds.isEmpty { release(lane) }
  }

  private mutating func beginNext(on queue: Int) {
    guard queues[queue].isFree, !queues[queue].line.isEmpty else { return }
    switch queues[queue].line.removeFirst() {
    case .lane(let lane):
      lanes[lane].awaited = nil
      hand(queue, to: lane)
    case .block(let deed, queue: _): begin(deed, on: queue)
    }
  }

  /// Whether what comes now has nothing before it.
  private func canBegin(on queue: Int) -> Bool {
    queues[queue].isFree && queues[queue].line.isEmpty
  }

  private mutating func hand(_ queue: Int, to lane: Int) {
    queues[queue].holdCount = 1
    queues[queue].owner = lane
  }

  private mutating func begin(_ deed: Deed, on queue: Int) {
    hand(queue, to: queue)
    push(deed, queue)
  }

  /// Dispatch does nothing for the main queue, and crashes if one is resumed that is not suspended.
  mutating func suspend(_ queue: Int, by change: Int) {
    if queue == 0 || queues[queue].suspensionCount + change < 0 { return }
    queues[queue].suspensionCount += change
    beginNext(on: queue)
  }

  // MARK: Contexts that are let go of

  /// Whether nothing but the lane itself has to do with the context (CC-19).
  func letsGoAtOnce(of context: ContextID, _ lane: Int) -> Bool {
    has(lane, queue(of: context)) && !isAwaited(context)
      && queueThatHolds(context, besides: lane) == nil
  }

  /// The first queue but the context's own on which a block for it is at work or in line.
  func queueThatHolds(_ context: ContextID, besides lane: Int) -> Int? {
    queues.indices.first { queue in
      guard queue != self.queue(of: context) else { return false }
      return queue != lane && lanes[queue].deeds.contains { $0.holds(context) }
        || hasBlockInLine(queue, holding: context)
    }
  }

  /// Whether a block or a lane for the context stands in the line of its queue.
  private func isAwaited(_ context: ContextID) -> Bool {
    let queue = queue(of: context)
    return hasBlockInLine(queue, holding: context)
      || lanes.contains { lane in
        lane.awaited == queue && lane.deeds.contains { $0.holds(context) }
      }
  }

  private func hasBlockInLine(_ queue: Int, holding context: ContextID) -> Bool {
    queues[queue].line.contains { entry in
      guard case .block(let deed, queue: _) = entry else { return false }
      return deed.holds(context)
    }
  }
}
