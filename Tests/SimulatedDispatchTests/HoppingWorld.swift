import Determinism
import SimulatedDispatch
import Testing

/// A small embedder, whose lanes hop between queues, enqueue blocks, take locks and sleep at
/// random. The program is a function of `program`. The schedule is a function of the choices passed
/// to `run`.
struct HoppingWorld: Hashable, Sendable {
  enum Frame: Hashable, Sendable {
    /// Takes `remaining` more steps, then releases the held queue.
    case work(remaining: Int, holds: QueueID?)
    case block(Block)
  }

  struct Block: Hashable, Sendable {
    let number: Int
    let queue: QueueID
    /// The block's place among the blocks of its queue that were enqueued without delay.
    let place: Int?
  }

  private(set) var dispatcher = Dispatcher<Frame>()
  private(set) var digest = Digest()
  /// The number of times that each block ran, by the block's number.
  private(set) var runCounts: [Int] = []
  private(set) var stepCount = 0
  let driver: LaneID
  private var program: Generator
  private var queues: [QueueID] = []
  private(set) var laneCount: Int
  private var enqueuedCounts: [Int] = []
  private var lastPlaces: [Int] = []
  private let blockLimit: Int
  /// A Boolean value that indicates whether queues are taken in ascending order only, so that no
  /// cycle can close.
  private let isOrderly: Bool
  /// A Boolean value that indicates whether lanes also suspend and resume queues.
  private let suspends: Bool

  init(
    queueCount: Int, threadCount: Int, blockLimit: Int, isOrderly: Bool, suspends: Bool = false,
    seed: UInt64
  ) {
    self.suspends = suspends
    program = Generator(seed: seed)
    self.blockLimit = blockLimit
    self.isOrderly = isOrderly
    driver = dispatcher.makeThread()
    laneCount = queueCount + threadCount + 1
    for _ in 0..<queueCount {
      queues.append(dispatcher.makeQueue())
      enqueuedCounts.append(0)
      lastPlaces.append(-1)
    }
    for _ in 0..<threadCount {
      dispatcher.push(.work(remaining: 20, holds: nil), on: dispatcher.makeThread())
    }
    dispatcher.push(.work(remaining: 20, holds: nil), on: driver)
  }

  var lanes: [LaneID] { (0..<laneCount).map { LaneID(index: $0) } }

  /// Runs until nothing is left, or for a number of steps. Returns true if nothing is left.
  mutating func run(
    _ policy: SchedulingPolicy, _ choices: inout Choices, steps limit: Int = .max,
    check: (HoppingWorld) -> Void = { _ in }
  ) -> Bool {
    var stepsLeft = limit
    var scheduler = Scheduler(policy)
    while stepsLeft > 0 {
      if dispatcher.runnableCount == 0 {
        if !dispatcher.advanceTime() { return true }
        continue
      }
      let lane = scheduler.choose(dispatcher.decision(driver: driver), in: self, &choices)
      step(lane)
      check(self)
      stepsLeft -= 1
    }
    return false
  }

  private mutating func step(_ lane: LaneID) {
    dispatcher.noteRan(lane)
    stepCount += 1
    digest.feed(lane.index)
    guard let frame = dispatcher.top(of: lane) else {
      Issue.record("lane \(lane.index) cannot run")
      return
    }
    switch frame {
    case .block(let block): begin(block, on: lane)
    case .work(let remaining, let queue):
      if let queue {
        #expect(dispatcher.owns(lane, queue), "lane \(lane.index) runs without its queue")
      }
      if remaining > 0 {
        dispatcher.replaceTop(of: lane, with: .work(remaining: remaining - 1, holds: queue))
        act(on: lane)
      } else {
        finish(lane)
      }
    }
  }

  private mutating func begin(_ block: Block, on lane: LaneID) {
    #expect(dispatcher.owns(lane, block.queue))
    #expect(dispatcher.frameCount(of: lane) == 1)
    digest.feed(block.number)
    runCounts[block.number] += 1
    if let place = block.place {
      #expect(
        place == lastPlaces[block.queue.index] + 1, "queue \(block.queue.index) lost its order")
      lastPlaces[block.queue.index] = place
    }
    dispatcher.replaceTop(of: lane, with: .work(remaining: program.next(below: 4), holds: nil))
  }

  private mutating func finish(_ lane: LaneID) {
    if case .work(_, let queue?) = dispatcher.pop(lane) { dispatcher.release(queue, by: lane) }
    if dispatcher.frameCount(of: lane) == 0, queues.contains(where: isWorked(by: lane)) {
      dispatcher.finishBlock(on: lane)
    }
  }

  private func isWorked(by lane: LaneID) -> (QueueID) -> Bool {
    // Lane 0 is the driver, and the workers follow.
    { $0.index + 1 == lane.index }
  }

  private mutating func act(on lane: LaneID) {
    let queue = queues[program.next(below: queues.count)]
    if suspends, program.next(below: 4) == 0 { return pause(queue) }
    switch program.next(below: 6) {
    case 0, 1: enqueue(on: queue, after: 0)
    case 2: enqueue(on: queue, after: 1 + program.next(below: 5))
    case 3: dispatcher.sleep(lane, milliseconds: program.next(below: 5))
    default: hop(lane, to: queue)
    }
  }

  /// Suspends the queue, or resumes it half of the time if it is suspended.
  private mutating func pause(_ queue: QueueID) {
    if dispatcher.isSuspended(queue), program.next(below: 2) == 0 {
      dispatcher.resume(queue)
    } else {
      dispatcher.suspend(queue)
    }
  }

  mutating func resumeAll() {
    for queue in queues { while dispatcher.isSuspended(queue) { dispatcher.resume(queue) } }
  }

  private mutating func enqueue(on queue: QueueID, after milliseconds: Int) {
    guard runCounts.count < blockLimit else { return }
    let number = runCounts.count
    runCounts.append(0)
    if milliseconds == 0 {
      let place = enqueuedCounts[queue.index]
      enqueuedCounts[queue.index] += 1
      dispatcher.async(.block(Block(number: number, queue: queue, place: place)), on: queue)
    } else {
      let block = Block(number: number, queue: queue, place: nil)
      dispatcher.asyncAfter(milliseconds, .block(block), on: queue)
    }
  }

  private mutating func hop(_ lane: LaneID, to queue: QueueID) {
    if isOrderly, let highest = queues.last(where: { dispatcher.owns(lane, $0) }), queue < highest {
      return
    }
    let ownsAlready = dispatcher.owns(lane, queue)
    let isFree = dispatcher.owner(of: queue) == nil && !dispatcher.isSuspended(queue)
    let remaining = program.next(below: 4)
    let outcome = dispatcher.acquire(queue, for: lane)
    dispatcher.push(.work(remaining: remaining, holds: queue), on: lane)
    switch outcome {
    case .granted: #expect(isFree)
    case .reentrant: #expect(ownsAlready)
    case .waiting:
      #expect(!isFree && !ownsAlready)
      #expect(!standsInCycle(lane), "lane \(lane.index) waits for itself unnoticed")
    case .deadlock(let deadlock):
      #expect(!isOrderly)
      #expect(standsInCycle(lane))
      #expect(deadlock.links.first?.lane == lane)
      #expect(dispatcher.deadlocks.last == deadlock)
    }
  }

  /// Returns the result of a slow search: a walk that returns within as many steps as there are
  /// lanes.
  private func standsInCycle(_ start: LaneID) -> Bool {
    var lane = start
    for _ in 0..<laneCount {
      guard let queue = dispatcher.waits(of: lane), let owner = dispatcher.owner(of: queue) else {
        return false
      }
      lane = owner
      if lane == start { return true }
    }
    return false
  }

  /// Returns the result of a slow search: a walk that has not ended after as many steps as there
  /// are lanes.
  func waitsForEver(_ start: LaneID) -> Bool {
    var lane = start
    for _ in 0...laneCount {
      guard let queue = dispatcher.waits(of: lane), let owner = dispatcher.owner(of: queue) else {
        return false
      }
      lane = owner
    }
    return true
  }
}

/// Hopping lanes decide their later steps as they go. Only their next steps are known.
extension HoppingWorld: SchedulingOutlook {
  var queueCount: Int { queues.count }

  func nextTurn(of lane: LaneID) -> QueueSet {
    switch dispatcher.top(of: lane) {
    case .block(let block): QueueSet(block.queue)
    case .work(_, let queue?): QueueSet(queue)
    case .work(_, nil): .all
    case nil: QueueSet()
    }
  }

  func turnsLeft(of lane: LaneID, on queues: QueueSet) -> Int {
    dispatcher.frames(of: lane).reduce(0) { count, frame in
      switch frame {
      case .block(let block): count + (queues.meets(QueueSet(block.queue)) ? 1 : 0)
      case .work(let remaining, let queue):
        count + (queue.map { queues.meets(QueueSet($0)) } ?? true ? remaining + 1 : 0)
      }
    }
  }
}
