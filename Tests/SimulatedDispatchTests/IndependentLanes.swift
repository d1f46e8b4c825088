import Determinism
import SimulatedDispatch

/// Threads that take turns and never wait. Each turn is on a queue, or on none.
struct IndependentLanes: SchedulingOutlook {
  /// The turns of each lane. A turn is the number of a queue, or nil.
  let scripts: [[Int?]]
  private var done: [Int]
  private var dispatcher = Dispatcher<Int>()

  /// The lanes, in the order of their turns.
  private(set) var order: [Int] = []
  /// The lanes, in the order of their turns on a queue.
  private(set) var orderOnQueues: [Int] = []
  private(set) var decisionCount = 0
  /// The number of decisions in which the present lane could have continued and did not.
  private(set) var leaveCount = 0
  private(set) var stayCount = 0

  init(_ scripts: [[Int?]]) {
    self.scripts = scripts
    done = scripts.map { _ in 0 }
    for _ in scripts { dispatcher.push(0, on: dispatcher.makeThread()) }
  }

  /// Creates one lane for each element of `turns`, with that number of turns.
  init(turns: [Int]) { self.init(turns.map { Array(repeating: nil, count: $0) }) }

  var laneCount: Int { scripts.count }
  var queueCount: Int { 1 + (scripts.joined().compactMap { $0 }.max() ?? 0) }

  func nextTurn(of lane: LaneID) -> QueueSet { set(scripts[lane.index][done[lane.index]]) }

  func turnsLeft(of lane: LaneID, on queues: QueueSet) -> Int {
    scripts[lane.index].dropFirst(done[lane.index]).count {
      queues == .all || set($0).meets(queues)
    }
  }

  private func set(_ queue: Int?) -> QueueSet {
    queue.map { QueueSet(QueueID(index: $0)) } ?? QueueSet()
  }

  mutating func run(_ scheduler: Scheduler, _ choices: inout Choices) {
    var scheduler = scheduler
    // Any lane can be the driver, and this is the last.
    let driver = LaneID(index: scripts.count - 1)
    while dispatcher.runnableCount > 0 {
      let decision = dispatcher.decision(driver: driver)
      let lane = scheduler.choose(decision, in: self, &choices)
      if decision.count > 1 {
        decisionCount += 1
        if let present = decision.present {
          if decision[present] == lane { stayCount += 1 } else { leaveCount += 1 }
        }
      }
      order.append(lane.index)
      if scripts[lane.index][done[lane.index]] != nil { orderOnQueues.append(lane.index) }
      done[lane.index] += 1
      dispatcher.noteRan(lane)
      if done[lane.index] == scripts[lane.index].count { _ = dispatcher.pop(lane) }
    }
  }

  /// Returns the lanes after each of `count` schedules.
  static func runs(
    _ scripts: [[Int?]], _ scheduler: Scheduler, count: Int
  ) -> [IndependentLanes] {
    (0..<count).map { index in
      var lanes = IndependentLanes(scripts)
      var choices = Choices(seed: Generator.derive(123, UInt64(index)))
      lanes.run(scheduler, &choices)
      return lanes
    }
  }
}
