/// Queues, lanes and virtual time: a counterpart of Dispatch, as a value.
///
/// A lane is a simulated thread: a stack of frames, which are data that the embedder interprets.
/// Each queue has one lane, its worker, which runs the blocks of the queue one after another.
/// `makeThread` makes lanes without a queue. In `performAndWait`, a lane takes the queue of another
/// lane and continues to run there. A queue without blocks is a plain lock.
///
/// The embedder's loop chooses one of the `runnable` lanes, calls `noteRan`, and performs a step of
/// the lane's top frame. When a worker has popped its last frame, the loop calls `finishBlock`.
/// When no lane can run, the loop calls `advanceTime`. If `advanceTime` returns `false`, the world
/// is at rest.
///
/// A dispatcher depends only on its state, not on its history. Two dispatchers that reached the
/// same state in different ways are equal, have the same hash, and behave the same from then on.
///
/// Code that runs in every step is `@inlinable`, so that the compiler specialises it for the
/// embedder's frames. Specialised code is 20 times faster, measured on blocks and acquisitions.
@usableFromInline package struct Dispatcher<Frame: Hashable & Sendable>: Hashable, Sendable {
  @usableFromInline struct Lane: Hashable, Sendable {
    @usableFromInline var frames: [Frame] = []
    /// The queue whose worker this lane is.
    @usableFromInline let queue: QueueID?
    /// The queue in whose line the lane stands.
    @usableFromInline var waitsFor: QueueID?
    @usableFromInline var ownedQueueCount = 0
    /// The detour of the lane while its block runs on the thread of another queue.
    @usableFromInline var detour: Detour?
    @usableFromInline var isAsleep = false
    /// A Boolean value that indicates whether the lane's wait closed a cycle of the wait-for graph.
    @usableFromInline var isStuck = false

    @inlinable init(queue: QueueID?) { self.queue = queue }

    @inlinable var canRun: Bool { !frames.isEmpty && waitsFor == nil && !isAsleep }
  }

  /// A block of a lane that runs on the thread of another queue. That thread does not own the
  /// queues in `ownedBefore`, which the lane owned before.
  @usableFromInline struct Detour: Hashable, Sendable {
    @usableFromInline let queue: QueueID
    @usableFromInline let ownedBefore: [QueueID]

    @inlinable init(queue: QueueID, ownedBefore: [QueueID]) {
      self.queue = queue
      self.ownedBefore = ownedBefore
    }
  }

  @usableFromInline struct Queue: Hashable, Sendable {
    @usableFromInline let worker: LaneID
    /// The lane that owns the queue. Without an owner, no lane waits in line unless the queue is
    /// suspended.
    @usableFromInline var owner: LaneID?
    /// The number of releases that the owner still has to make.
    @usableFromInline var holdCount = 0
    /// The time at which the owner took the queue, or zero without an owner.
    @usableFromInline var takenAt = Instant(milliseconds: 0)
    @usableFromInline var line = RingBuffer<Turn>()
    /// The number of calls of `resume` still needed. While it is not 0, no lane in line gets the
    /// queue.
    @usableFromInline var suspensionCount = 0

    @inlinable init(worker: LaneID) { self.worker = worker }

    @inlinable var isFree: Bool { owner == nil && suspensionCount == 0 }

    // Each method looks up the queue in its array once instead of once for each field.

    @inlinable mutating func begin(ownedBy lane: LaneID, at instant: Instant) {
      owner = lane
      holdCount = 1
      takenAt = instant
    }

    /// Ends the ownership and returns the owner, or `nil` if the queue had none.
    @inlinable mutating func end() -> LaneID? {
      guard let lane = owner else { return nil }
      owner = nil
      holdCount = 0
      takenAt = Instant(milliseconds: 0)
      return lane
    }
  }

  /// A block or a lane that waits in the line of a queue.
  @usableFromInline enum Turn: Hashable, Sendable {
    case block(Frame)
    case waiter(LaneID)
  }

  @usableFromInline struct Deadline: Hashable, Sendable {
    @usableFromInline let instant: Instant
    @usableFromInline let event: Event

    @inlinable init(instant: Instant, event: Event) {
      self.instant = instant
      self.event = event
    }
  }

  @usableFromInline enum Event: Hashable, Sendable {
    case wake(LaneID)
    case enqueue(Frame, QueueID)
  }

  @usableFromInline package internal(set) var now = Instant(milliseconds: 0)
  /// The deadlocks so far, oldest first.
  @usableFromInline package internal(set) var deadlocks: [Deadlock] = []
  @usableFromInline var lanes: [Lane] = []
  @usableFromInline var queues: [Queue] = []
  /// The deadlines, latest first. Of deadlines at the same time, the last was made first.
  @usableFromInline var deadlines: [Deadline] = []
  @usableFromInline var ready = ReadyLanes()
  /// The sum for all queues. Callers query it far more often than a queue is suspended.
  @usableFromInline var suspensionCount = 0

  @inlinable package init(now: Instant = Instant(milliseconds: 0)) { self.now = now }

  /// Makes a queue and its worker lane.
  @inlinable package mutating func makeQueue() -> QueueID {
    let queue = QueueID(index: queues.count)
    queues.append(Queue(worker: LaneID(index: lanes.count)))
    lanes.append(Lane(queue: queue))
    return queue
  }

  @inlinable package func worker(of queue: QueueID) -> LaneID { queues[queue.index].worker }

  /// Returns the queue whose worker `lane` is, or `nil` for a thread.
  @inlinable package func queue(of lane: LaneID) -> QueueID? { lanes[lane.index].queue }

  /// Makes a lane that belongs to no queue.
  @inlinable package mutating func makeThread() -> LaneID {
    lanes.append(Lane(queue: nil))
    return LaneID(index: lanes.count - 1)
  }
}

extension Dispatcher {
  /// Pushes a frame. A worker accepts frames only in a block, while it owns its queue.
  @inlinable package mutating func push(_ frame: consuming Frame, on lane: LaneID) {
    if let queue = lanes[lane.index].queue {
      precondition(owns(lane, queue), "lane \(lane.index) runs no block of queue \(queue.index)")
    }
    lanes[lane.index].frames.append(frame)
    if lanes[lane.index].frames.count == 1 { updateReady(lane) }
  }

  @inlinable package mutating func pop(_ lane: LaneID) -> Frame {
    guard let frame = lanes[lane.index].frames.popLast() else {
      preconditionFailure("lane \(lane.index) has no frame")
    }
    if lanes[lane.index].frames.isEmpty { updateReady(lane) }
    return frame
  }

  @inlinable package mutating func replaceTop(of lane: LaneID, with frame: consuming Frame) {
    let top = lanes[lane.index].frames.count - 1
    precondition(top >= 0, "lane \(lane.index) has no frame")
    lanes[lane.index].frames[top] = frame
  }

  @inlinable package func top(of lane: LaneID) -> Frame? { lanes[lane.index].frames.last }

  @inlinable package func frameCount(of lane: LaneID) -> Int { lanes[lane.index].frames.count }

  /// Calls `body` with the blocks that wait for the worker `lane`, in order. Examines at most the
  /// first `limit` places in line. Does nothing if `lane` is not a worker.
  @inlinable package func forEachBlock(
    awaiting lane: LaneID, limit: Int = .max, _ body: (Frame) -> Void
  ) {
    guard let queue = lanes[lane.index].queue else { return }
    for position in 0..<min(limit, queues[queue.index].line.count) {
      if case .block(let frame) = queues[queue.index].line[position] { body(frame) }
    }
  }

  /// Returns the number of blocks and lanes that wait in the line of the worker `lane`.
  @inlinable package func lineCount(awaiting lane: LaneID) -> Int {
    lanes[lane.index].queue.map { queues[$0.index].line.count } ?? 0
  }

  /// Returns the frames of `lane`, the top frame last.
  @inlinable package func frames(of lane: LaneID) -> [Frame] { lanes[lane.index].frames }
}

extension Dispatcher {
  /// The lanes that have a frame and neither wait nor sleep. The lane that ran last comes first,
  /// followed by the other lanes by ID.
  package var runnable: [LaneID] { ready.inOrder }

  @inlinable package var runnableCount: Int { ready.count }

  /// The lane that can run, or `nil` if none or several can.
  @inlinable package var onlyRunnable: LaneID? { ready.only }

  @inlinable package func canRun(_ lane: LaneID) -> Bool { lanes[lane.index].canRun }

  /// Returns the choice among the lanes that can run. The `driver` is one of the lanes.
  /// `turnsToCome` estimates the turns of steps that the driver has not received yet.
  @inlinable package func decision(driver: LaneID, turnsToCome: Int = 0) -> SchedulingDecision {
    ready.decision(driver: driver, turnsToCome: turnsToCome)
  }

  @inlinable package var laneCount: Int { lanes.count }

  @inlinable package var queueCount: Int { queues.count }

  /// Records that `lane` took the latest turn.
  @inlinable package mutating func noteRan(_ lane: LaneID) {
    precondition(lanes.indices ~= lane.index, "lane \(lane.index) of \(lanes.count)")
    ready.lastRan = lane
  }

  /// A Boolean value that indicates whether no lane can run, now or at a later time.
  @inlinable package var isQuiescent: Bool { ready.count == 0 && deadlines.isEmpty }

  /// Returns a Boolean value that indicates whether only `lane` can run, and no deadline exists.
  package func isQuiescent(but lane: LaneID) -> Bool { ready.only == lane && deadlines.isEmpty }

  /// A Boolean value that indicates whether all enqueued work has ended: no frame, line, owner or
  /// deadline is left.
  @inlinable package var isIdle: Bool {
    guard deadlines.isEmpty, deadlocks.isEmpty else { return false }
    for lane in lanes where !lane.frames.isEmpty { return false }
    for queue in queues where !queue.isFree || queue.line.count > 0 { return false }
    return true
  }

  /// Updates the list of runnable lanes after a change to `lane`.
  @inlinable mutating func updateReady(_ lane: LaneID) {
    ready.list(lane, canRun: lanes[lane.index].canRun)
  }
}
