/// Ownership of queues. A queue has at most one owner. Blocks and lanes that want an owned queue
/// wait in one line and receive the queue in the order of arrival.
extension Dispatcher {
  /// Enqueues `frame` as a block. When the block's turn comes, the worker of `queue` owns the
  /// queue, has `frame` as its only frame, and can run. §enqueue
  @inlinable package mutating func async(_ frame: Frame, on queue: QueueID) {
    if queues[queue.index].isFree {
      begin(.block(frame), on: queue)
    } else {
      queues[queue.index].line.append(.block(frame))
    }
  }

  /// Enqueues `frame` as a block at the front of the line.
  @inlinable package mutating func asyncFirst(_ frame: Frame, on queue: QueueID) {
    if queues[queue.index].isFree {
      begin(.block(frame), on: queue)
    } else {
      queues[queue.index].line.prepend(.block(frame))
    }
  }

  /// Ends the block whose last frame the worker `lane` has popped. The queue passes to the next in
  /// line. §enqueue.1.2
  @inlinable package mutating func finishBlock(on lane: LaneID) {
    let worker = lanes[lane.index]
    guard let queue = worker.queue else {
      preconditionFailure("lane \(lane.index) is no worker")
    }
    precondition(owns(lane, queue), "lane \(lane.index) runs no block of queue \(queue.index)")
    precondition(worker.frames.isEmpty, "a block with \(worker.frames.count) frames is not over")
    precondition(
      queues[queue.index].holdCount == 1 && worker.ownedQueueCount == 1,
      "a block on queue \(queue.index) ends before it has released what it took")
    precondition(!worker.isAsleep, "the block on queue \(queue.index) ends in its sleep")
    handOver(queue)
  }

  /// Takes `queue` for `lane`, at once if the queue is free or already belongs to the lane. Each
  /// success needs one release. Otherwise the lane waits in line, and owns the queue when it can
  /// run again. Do not repeat the request. §take-queue
  ///
  /// A wait that would close a cycle of the wait-for graph is a deadlock. The lane is then stuck
  /// permanently and never releases its queues. Lanes that wait for those queues never run again.
  ///
  /// - Parameters:
  ///   - isReentrant: Pass `false` to make a lane that owns the queue wait for itself.
  ///   - leaving: The queues that the lane owns but cannot use while it runs as the thread of
  ///     `queue`, as a block on the main queue does. Until the release, a request for one of these
  ///     queues is a deadlock.
  ///   - mayPass: Pass `true` to allow a request for one of the `leaving` queues.
  @inlinable package mutating func acquire(
    _ queue: QueueID, for lane: LaneID, isReentrant: Bool = true, leaving: [QueueID] = [],
    mayPass: Bool = false
  ) -> Acquisition {
    precondition(lanes[lane.index].waitsFor == nil, "lane \(lane.index) waits already")
    precondition(!lanes[lane.index].isAsleep, "lane \(lane.index) sleeps")
    if owns(lane, queue), isReentrant, mayPass || !isBehind(queue, lane) {
      queues[queue.index].holdCount += 1
      return .reentrant
    }
    if !leaving.isEmpty, !owns(lane, queue) {
      lanes[lane.index].detour = Detour(queue: queue, ownedBefore: leaving)
    }
    precondition(
      lanes[lane.index].queue != queue || owns(lane, queue),
      "the worker of queue \(queue.index) runs none of its blocks")
    if queues[queue.index].isFree {
      give(queue, to: lane)
      return .granted
    }
    queues[queue.index].line.append(.waiter(lane))
    lanes[lane.index].waitsFor = queue
    updateReady(lane)
    return closesCycle(lane) ? .deadlock(noteDeadlock(closedBy: lane)) : .waiting
  }

  /// Reverses one acquisition. After the last, the queue passes to the next in line. A block keeps
  /// the queue it runs on until `finishBlock`. §release-queue
  @inlinable package mutating func release(_ queue: QueueID, by lane: LaneID) {
    precondition(owns(lane, queue), "lane \(lane.index) does not own queue \(queue.index)")
    precondition(lanes[lane.index].waitsFor == nil, "lane \(lane.index) releases while it waits")
    if queues[queue.index].holdCount > 1 {
      queues[queue.index].holdCount -= 1
    } else {
      precondition(
        lanes[lane.index].queue != queue, "a block releases queue \(queue.index) on which it runs")
      handOver(queue)
    }
  }

  /// Returns a Boolean value that indicates whether `queue` has no owner and is not suspended.
  @inlinable package func isFree(_ queue: QueueID) -> Bool { queues[queue.index].isFree }

  @inlinable package func owner(of queue: QueueID) -> LaneID? { queues[queue.index].owner }

  @inlinable package func owns(_ lane: LaneID, _ queue: QueueID) -> Bool {
    queues[queue.index].owner == lane
  }

  /// Returns a Boolean value that indicates whether the lane owns the queue but runs as the thread
  /// of another queue.
  @inlinable package func isBehind(_ queue: QueueID, _ lane: LaneID) -> Bool {
    lanes[lane.index].detour?.ownedBefore.contains(queue) ?? false
  }

  /// Returns the number of releases that the owner of `queue` still has to make.
  @inlinable package func holdCount(of queue: QueueID) -> Int { queues[queue.index].holdCount }

  /// Returns the milliseconds for which the present owner has owned `queue`, or 0 without an owner.
  @inlinable package func holdingTime(of queue: QueueID) -> Int {
    guard queues[queue.index].owner != nil else { return 0 }
    return now.milliseconds - queues[queue.index].takenAt.milliseconds
  }

  @inlinable package func waits(of lane: LaneID) -> QueueID? { lanes[lane.index].waitsFor }

  /// Ends the ownership of a queue and passes the queue to the next in line. §release-queue.2
  @inlinable mutating func handOver(_ queue: QueueID) {
    guard let owner = queues[queue.index].end() else {
      preconditionFailure("queue \(queue.index) is free already")
    }
    lanes[owner.index].ownedQueueCount -= 1
    if let detour = lanes[owner.index].detour,
      detour.queue == queue || detour.ownedBefore.contains(queue)
    {
      lanes[owner.index].detour = nil
    }
    if queues[queue.index].line.count > 0 { beginNext(on: queue) }
  }

  /// Gives a queue to the next in line if it has no owner and is not suspended. §pass-queue
  @inlinable mutating func beginNext(on queue: QueueID) {
    guard queues[queue.index].line.count > 0, queues[queue.index].isFree else { return }
    if let next = queues[queue.index].line.popFirst() { begin(next, on: queue) }
  }

  @inlinable mutating func begin(_ turn: Turn, on queue: QueueID) {
    let lane: LaneID
    switch turn {
    case .block(let frame):
      lane = queues[queue.index].worker
      lanes[lane.index].frames.append(frame)
    case .waiter(let waiter):
      lane = waiter
      lanes[lane.index].waitsFor = nil
    }
    give(queue, to: lane)
    updateReady(lane)
  }

  /// Makes the lane the owner of a queue that has no owner.
  @inlinable mutating func give(_ queue: QueueID, to lane: LaneID) {
    queues[queue.index].begin(ownedBy: lane, at: now)
    lanes[lane.index].ownedQueueCount += 1
  }
}

/// Deadlock detection. Each lane waits for at most one queue, and each queue has at most one owner.
/// From a waiting lane there is a single path through the wait-for graph. Only a new wait can close
/// a cycle, because a queue passes only to a lane that stops waiting.
///
/// The path ends at a suspended queue without an owner. Its waiting lanes wait for a `resume`,
/// which may still come.
extension Dispatcher {
  /// The lanes of all deadlocks and the lanes that wait for them, each with the queue it waits for.
  /// None of them can ever run again. Lanes whose path ends at a suspended queue are excluded.
  package var blockedLanes: [Deadlock.Link] {
    var isBlocked: [Bool?] = lanes.map { $0.isStuck ? true : $0.waitsFor == nil ? false : nil }
    for start in lanes.indices {
      var path: [Int] = []
      var lane: Int? = start
      while let waiting = lane, isBlocked[waiting] == nil {
        path.append(waiting)
        lane = ownerAwaited(by: LaneID(index: waiting))?.index
      }
      let isBlockedThere = lane.flatMap { isBlocked[$0] } ?? false
      for member in path { isBlocked[member] = isBlockedThere }
    }
    return lanes.indices.compactMap { index in
      guard isBlocked[index] == true, let queue = lanes[index].waitsFor else { return nil }
      return Deadlock.Link(lane: LaneID(index: index), waitsFor: queue)
    }
  }

  /// Returns `true` if a path leads back to `start`, which has just begun to wait. §deadlock
  @inlinable func closesCycle(_ start: LaneID) -> Bool {
    var lane = start
    repeat {
      // A stuck lane belongs to an older cycle, in which the walk would never end.
      if lanes[lane.index].waitsFor == nil || lanes[lane.index].isStuck { return false }
      guard let owner = ownerAwaited(by: lane) else { return false }
      lane = owner
    } while lane != start
    return true
  }

  /// Marks `start` as stuck, because its wait has closed a cycle. §deadlock.2.5
  @usableFromInline mutating func noteDeadlock(closedBy start: LaneID) -> Deadlock {
    var links: [Deadlock.Link] = []
    var lane = start
    repeat {
      guard let queue = lanes[lane.index].waitsFor, let owner = ownerAwaited(by: lane) else {
        preconditionFailure("lane \(lane.index) waits for no lane, so it is in no cycle")
      }
      links.append(Deadlock.Link(lane: lane, waitsFor: queue))
      lane = owner
    } while lane != start
    let detour = links.count == 1 ? lanes[start.index].detour : nil
    let isBehind = detour?.ownedBefore.contains(links[0].waitsFor) ?? false
    let deadlock = Deadlock(links: links, through: isBehind ? detour?.queue : nil)
    lanes[start.index].isStuck = true
    deadlocks.append(deadlock)
    return deadlock
  }

  /// Returns the owner of the queue for which `lane` waits, or `nil` if the queue is suspended
  /// without an owner.
  @inlinable func ownerAwaited(by lane: LaneID) -> LaneID? {
    guard let queue = lanes[lane.index].waitsFor else {
      preconditionFailure("lane \(lane.index) waits for nothing")
    }
    precondition(
      queues[queue.index].owner != nil || queues[queue.index].suspensionCount > 0,
      "lane \(lane.index) waits for queue \(queue.index), which is free")
    return queues[queue.index].owner
  }
}
