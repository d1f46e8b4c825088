import Determinism
import SimulatedDispatch

/// Four threads that yield 25 times each, under recorded schedules.
struct Schedules: SchedulingOutlook {
  private static let lanes = 4
  private static let turns = 25

  /// The number of turns that each lane still has.
  private var turnsLeft = Array(repeating: Schedules.turns, count: Schedules.lanes)
  private var dispatcher = Dispatcher<Int>()
  private var digest = Digest()

  private init() {
    for _ in 0..<Schedules.lanes { dispatcher.push(0, on: dispatcher.makeThread()) }
  }

  var laneCount: Int { Schedules.lanes }
  var queueCount: Int { 1 }
  func nextTurn(of lane: LaneID) -> QueueSet { QueueSet() }
  func turnsLeft(of lane: LaneID, on queues: QueueSet) -> Int {
    queues == .all ? turnsLeft[lane.index] : 0
  }

  /// Runs `count` different schedules and returns `count`.
  static func run(_ policy: SchedulingPolicy, count: Int) -> Int {
    for index in 0..<count {
      var choices = Choices(seed: Generator.derive(7, UInt64(index)))
      let order = Schedules.order(Scheduler(policy), &choices)
      // Replay every 1,024th recording. The lanes must take their turns in the same order.
      if index.isMultiple(of: 1_024) {
        var again = Choices(replaying: choices.recording)
        precondition(
          Schedules.order(Scheduler(.random), &again) == order, "a replay took another order")
      }
    }
    return count
  }

  /// Returns a digest of the order in which lanes took turns.
  private static func order(_ scheduler: Scheduler, _ choices: inout Choices) -> UInt64 {
    var (scheduler, world) = (scheduler, Schedules())
    let driver = LaneID(index: lanes - 1)
    while world.dispatcher.runnableCount > 0 {
      let decision = world.dispatcher.decision(driver: driver)
      let lane = scheduler.choose(decision, in: world, &choices)
      world.digest.feed(lane.index)
      world.turnsLeft[lane.index] -= 1
      world.dispatcher.noteRan(lane)
      if world.turnsLeft[lane.index] == 0 { _ = world.dispatcher.pop(lane) }
    }
    return world.digest.value
  }
}
