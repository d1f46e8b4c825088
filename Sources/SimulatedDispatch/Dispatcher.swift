/// Queues, lanes and virtual time: counterpart of Dispatch, as a value.
///
/// A lane is a simulated thread: a stack of frames, which are data that the embedder interprets.
/// Each queue has one lane, its worker, which runs the blocks of the queue one after the
/// other; `makeThread` makes lanes without a queue. A lane that takes another's queue and runs on
/// there is what `performAndWait` looks like, and a queue without blocks is a plain lock.
///
/// The embedder's loop: choose one of the `runnable` lanes, `noteRan` it, let its top frame take a
/// step, call `finishBlock` when a worker has popped its last frame; when no lane can run,
/// `advanceTime`, and if that is false, the world has come to rest.
///
/// Nothing here depends on what happened but only on what is: two dispatchers that went different
/// ways to the same state are equal, hash alike and go on alike.
///
/// Code that runs in every step is `@inlinable`, because only then the compiler specialises it for
/// the embedder's frames (20 times faster, measured on blocks and acquisitions).
@usableFromInline package struct Dispatcher<Frame: Hashable & Sendable>: Hashable, Sendable {
  @usableFromInline struct Lane: Hashable, Sendable {
    @usableFromInline var frames: [Frame] = []
    /// The queue whose worker this lane is.
    @usableFromInline let queue: QueueID?
    /// The queue in whose line the lane stands.
    @usableFromInline var waitsFor: QueueID?
    @usableFromInline var ownedQueueCount = 0
    /// While its block runs on the thread of another queue: that queue, and those it owned before,
    /// which that thread does not own.
    @usableFromInline var detour: Detour?
    @usableFromInline var isAsleep = false
    /// Its wait closed a cycle of the wait-for graph.
    @usableFromInline var isStuck = false

    @inlinable init(queue: QueueID?) { self.queue = queue }

    @inlinable var canRun: Bool { !frames.isEmpty && waitsFor == nil && !isAsleep }
  }

  /// A block of a lane on the thread of another queue.
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
    /// While there is none, no lane stands in line unless the queue is suspended.
    @usableFromInline var owner: LaneID?
    /// How many releases the owner owes.
    @usableFromInline var holdCount = 0
    /// When the owner got it; zero while there is none.
    @usableFromInline var takenAt = Instant(milliseconds: 0)
    @usableFromInline var line = RingBuffer<Turn>()
    /// While it is not 0, no lane in line gets the queue.
    @usableFromInline var suspensionCount = 0

    @inlinable init(worker: LaneID) { self.worker = worker }

    @inlinable var isFree: Bool { owner == nil && suspensionCount == 0 }

    // Each looks for the queue in its array once, where a line for each field would do so again.

    @inlinable mutating func begin(ownedBy lane: LaneID, at instant: Instant) {
      owner = lane
      holdCount = 1
      takenAt = instant
    }

    /// Nil if nothing owned it.
    @inlinable mutating func end() -> LaneID? {
      guard let lane = owner else { return nil }
      owner = nil
      holdCount = 0
      takenAt = Instant(milliseconds: 0)
      return lane
    }
  }

  /// A block, or a lane, that stands in the line of a queue.
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
  /// In the order in which they came about.
  @usableFromInline package internal(set) var deadlocks: [Deadlock] = []
  @usableFromInline var lanes: [Lane] = []
  @usableFromInline var queues: [Queue] = []
  /// The last is due first; of those due together, the last was made first.
  @usableFromInline var deadlines: [Deadline] = []
  @usableFromInline var ready = ReadyLanes()
  /// Of all queues together: it is asked much more often than one is suspended.
  @usableFromInline var suspensionCount = 0

  @inlinable package init(now: Instant = Instant(milliseconds: 0)) { self.now = now }

  /// Makes a queue, and the lane that is its worker.
  @inlinable package mutating func makeQueue() -> QueueID {
    let queue = QueueID(index: queues.count)
    queues.append(Queue(worker: LaneID(index: lanes.count)))
    lanes.append(Lane(queue: queue))
    return queue
  }

  @inlinable package func worker(of queue: QueueID) -> LaneID { queues[queue.index].worker }

  /// The queue whose worker `lane` is; nil for a thread.
  @inlinable package func queue(of lane: LaneID) -> QueueID? { lanes[lane.index].queue }

  /// Makes a lane that belongs to no queue.
  @inlinable package mutating func makeThread() -> LaneID {
    lanes.append(Lane(queue: nil))
    return LaneID(index: lanes.count - 1)
  }
}

/// Frames.
extension Dispatcher {
  /// A worker takes frames only inside a block, while it owns its queue.
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

  /// What stands in the line of the queue whose worker `lane` is, if it is one, the first block
  /// first; at most the first `limit` places are looked at.
  @inlinable package func forEachBlock(
    awaiting lane: LaneID, limit: Int = .max, _ body: (Frame) -> Void
  ) {
    guard let queue = lanes[lane.index].queue else { return }
    for position in 0..<min(limit, queues[queue.index].line.count) {
      if case .block(let frame) = queues[queue.index].line[position] { body(frame) }
    }
  }

  /// How many blocks and lanes stand in the line of the queue whose worker `lane` is.
  @inlinable package func lineCount(awaiting lane: LaneID) -> Int {
    lanes[lane.index].queue.map { queues[$0.index].line.count } ?? 0
  }

  /// The top is last.
  @inlinable package func frames(of lane: LaneID) -> [Frame] { lanes[lane.index].frames }
}

/// Which lanes can run.
extension Dispatcher {
  /// The lanes that have a frame and neither wait nor sleep: first the one that ran last, then the
  /// others by id.
  package var runnable: [LaneID] { ready.inOrder }

  @inlinable package var runnableCount: Int { ready.count }

  /// The lane that can run, if there is only one.
  @inlinable package var onlyRunnable: LaneID? { ready.only }

  /// Whether `lane` is one of them. O(1).
  @inlinable package func canRun(_ lane: LaneID) -> Bool { lanes[lane.index].canRun }

  /// The choice among those that can run, and among them the `driver`, with about so many turns to
  /// come of what it will begin later.
  @inlinable package func decision(driver: LaneID, turnsToCome: Int = 0) -> SchedulingDecision {
    ready.decision(driver: driver, turnsToCome: turnsToCome)
  }

  @inlinable package var laneCount: Int { lanes.count }

  @inlinable package var queueCount: Int { queues.count }

  /// Says that `lane` took the latest step.
  @inlinable package mutating func noteRan(_ lane: LaneID) {
    precondition(lanes.indices ~= lane.index, "lane \(lane.index) of \(lanes.count)")
    ready.lastRan = lane
  }

  /// Whether nothing will ever happen again by itself.
  @inlinable package var isQuiescent: Bool { ready.count == 0 && deadlines.isEmpty }

  /// Whether nothing will ever happen again but what `lane` does.
  package func isQuiescent(but lane: LaneID) -> Bool { ready.only == lane && deadlines.isEmpty }

  /// Whether nothing is left of all that was enqueued: no frame, no line, no owner, no deadline.
  @inlinable package var isIdle: Bool {
    guard deadlines.isEmpty, deadlocks.isEmpty else { return false }
    for lane in lanes where !lane.frames.isEmpty { return false }
    for queue in queues where !queue.isFree || queue.line.count > 0 { return false }
    return true
  }

  /// Lists `lane` as runnable or not, after a change to it.
  @inlinable mutating func updateReady(_ lane: LaneID) {
    ready.list(lane, canRun: lanes[lane.index].canRun)
  }
}
