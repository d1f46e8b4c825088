import Determinism
import SimulatedDispatch

/// A small concurrent program on the bare dispatcher. It has scripts that lanes follow, a few
/// shared cells, and a bug that only some schedules show.
struct Toy {
  enum Instruction: Hashable, Sendable {
    /// Does nothing that another lane would notice.
    case pad
    /// Loads a cell's number into the lane's register, or stores one more than the register.
    case load(Int)
    case storeNext(Int)
    case set(Int, Int)
    /// Raises the flag if the cell has this number.
    case raise(flag: Int, ifCell: Int, is: Int)
    /// Raises the flag if the cell has this number and another flag is raised.
    case raiseAfter(flag: Int, other: Int, ifCell: Int, is: Int)
    case lock(Int)
    case unlock(Int)
    /// Enqueues a script as a block.
    case post(script: Int, queue: Int)
    /// Writes the number down.
    case note(Int)
  }

  struct Frame: Hashable, Sendable {
    var script: Int
    var next = 0
    var register = 0
  }

  let name: String
  /// The scripts of the threads come first, and the rest are blocks.
  let scripts: [[Instruction]]
  let threadCount: Int
  let queueCount: Int
  let isHit: (Run) -> Bool

  struct Run {
    let toy: Toy
    var dispatcher = Dispatcher<Frame>()
    var cells = [0, 0, 0, 0]
    var flags = [false, false]
    var notes: [Int] = []
    var isDeadlocked: Bool { !dispatcher.deadlocks.isEmpty }
    /// The number of decisions that had a choice.
    var decisionCount = 0
  }

  /// Runs the schedule that a strategy chooses, and records whether it shows the bug.
  func run(_ scheduler: Scheduler, _ choices: inout Choices) -> Run {
    var run = Run(toy: self)
    for _ in 0..<queueCount { _ = run.dispatcher.makeQueue() }
    var driver: LaneID?
    for thread in 0..<threadCount {
      let lane = run.dispatcher.makeThread()
      run.dispatcher.push(Frame(script: thread), on: lane)
      driver = lane
    }
    var scheduler = scheduler
    while run.dispatcher.runnableCount > 0, let driver {
      if run.dispatcher.runnableCount > 1 { run.decisionCount += 1 }
      let lane = scheduler.choose(run.dispatcher.decision(driver: driver), in: run, &choices)
      run.step(lane)
    }
    return run
  }
}

extension Toy.Run {
  fileprivate mutating func step(_ lane: LaneID) {
    dispatcher.noteRan(lane)
    guard var frame = dispatcher.top(of: lane) else { return }
    let instruction = toy.scripts[frame.script][frame.next]
    frame.next += 1
    if case .load(let cell) = instruction { frame.register = cells[cell] }
    let isOver = frame.next == toy.scripts[frame.script].count
    if isOver { _ = dispatcher.pop(lane) } else { dispatcher.replaceTop(of: lane, with: frame) }
    perform(instruction, frame, on: lane)
    if isOver, lane.index < toy.queueCount { dispatcher.finishBlock(on: lane) }
  }

  private mutating func perform(
    _ instruction: Toy.Instruction, _ frame: Toy.Frame, on lane: LaneID
  ) {
    switch instruction {
    case .pad, .load: break
    case .storeNext(let cell): cells[cell] = frame.register + 1
    case .set(let cell, let number): cells[cell] = number
    case .raise(let flag, let cell, let number):
      if cells[cell] == number { flags[flag] = true }
    case .raiseAfter(let flag, let other, let cell, let number):
      if flags[other], cells[cell] == number { flags[flag] = true }
    case .lock(let queue): _ = dispatcher.acquire(QueueID(index: queue), for: lane)
    case .unlock(let queue): dispatcher.release(QueueID(index: queue), by: lane)
    case .post(let script, let queue):
      dispatcher.async(Toy.Frame(script: script), on: QueueID(index: queue))
    case .note(let number): notes.append(number)
    }
  }
}

/// All turns are known, so weights are exact. A cell counts as a queue after the real ones.
extension Toy.Run: SchedulingOutlook {
  var laneCount: Int { dispatcher.laneCount }
  var queueCount: Int { toy.queueCount + cells.count }

  func nextTurn(of lane: LaneID) -> QueueSet {
    dispatcher.top(of: lane).map { queues(of: toy.scripts[$0.script][$0.next]) } ?? QueueSet()
  }

  func turnsLeft(of lane: LaneID, on queues: QueueSet) -> Int {
    var count = 0
    for frame in dispatcher.frames(of: lane) { count += turns(of: frame, on: queues) }
    dispatcher.forEachBlock(awaiting: lane) { count += turns(of: $0, on: queues) }
    return count
  }

  private func turns(of frame: Toy.Frame, on selected: QueueSet) -> Int {
    toy.scripts[frame.script].dropFirst(frame.next).reduce(0) { count, instruction in
      let isCounted = selected == .all || selected.meets(queues(of: instruction))
      var below = 0
      if case .post(let script, _) = instruction {
        below = turns(of: Toy.Frame(script: script), on: selected)
      }
      return count + (isCounted ? 1 : 0) + below
    }
  }

  private func queues(of instruction: Toy.Instruction) -> QueueSet {
    switch instruction {
    case .pad, .note: QueueSet()
    case .load(let cell), .storeNext(let cell), .set(let cell, _), .raise(_, let cell, _),
      .raiseAfter(_, _, let cell, _):
      QueueSet(QueueID(index: toy.queueCount + cell))
    case .lock(let queue), .unlock(let queue), .post(_, let queue):
      QueueSet(QueueID(index: queue))
    }
  }
}
