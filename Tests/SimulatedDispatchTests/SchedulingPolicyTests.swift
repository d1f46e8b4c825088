import Determinism
import SimulatedDispatch
import Testing

/// An outlook for strategies that read none.
private struct NoOutlook: SchedulingOutlook {
  var laneCount: Int { 0 }
  var queueCount: Int { 0 }
  func nextTurn(of lane: LaneID) -> QueueSet { QueueSet() }
  func turnsLeft(of lane: LaneID, on queues: QueueSet) -> Int { 0 }
}

@Suite struct `A scheduling policy` {
  /// Returns a dispatcher with `count` threads. The threads in `able` have something to do, and the
  /// others had.
  private func dispatcher(_ count: Int = 5, able: [Int], lastRan: Int?) -> Dispatcher<Int> {
    var dispatcher = Dispatcher<Int>()
    let lanes = (0..<count).map { _ in dispatcher.makeThread() }
    for lane in lanes.reversed() { dispatcher.push(0, on: lane) }
    for index in 0..<count where !able.contains(index) { _ = dispatcher.pop(lanes[index]) }
    if let lastRan { dispatcher.noteRan(lanes[lastRan]) }
    return dispatcher
  }

  private func choose(
    _ policy: SchedulingPolicy, _ dispatcher: Dispatcher<Int>, driver: Int, _ choices: inout Choices
  ) -> Int {
    var scheduler = Scheduler(policy)
    let decision = dispatcher.decision(driver: LaneID(index: driver))
    return scheduler.choose(decision, in: NoOutlook(), &choices).index
  }

  /// Returns the alternatives as the documentation describes them.
  private func alternatives(able: [Int], lastRan: Int?, driver: Int) -> [Int] {
    let first = able.filter { $0 == lastRan && $0 != driver }
    let last = able.filter { $0 == driver }
    return first + able.filter { !(first + last).contains($0) } + last
  }

  /// The cases have few threads, or so many that one number has no bit for each.
  @Test(arguments: [0, 62, 70])
  func `a policy numbers the present lane 0, the others by id, the driver last`(first: Int) {
    var checkedCount = 0
    for subset in 1..<32 {
      let able = (first..<first + 5).filter { subset >> ($0 - first) & 1 == 1 }
      for lastRan in [nil] + (first..<first + 5).map(Int?.some) {
        let dispatcher = dispatcher(first + 5, able: able, lastRan: lastRan)
        let present = able.filter { $0 == lastRan }
        #expect(
          dispatcher.runnable.map(\.index) == present + able.filter { $0 != lastRan })
        for driver in first..<first + 5 {
          let expected = alternatives(able: able, lastRan: lastRan, driver: driver)
          let decision = dispatcher.decision(driver: LaneID(index: driver))
          for (number, lane) in expected.enumerated() {
            #expect(decision.number(of: LaneID(index: lane)) == number)
            var choices = Choices(
              replaying: Choices.Recording(streams: [[], [], [UInt32(number)], []]))
            #expect(choose(.random, dispatcher, driver: driver, &choices) == lane)
            #expect(choices.recording(of: .schedule) == (able.count > 1 ? [UInt32(number)] : []))
            checkedCount += 1
          }
          var none = Choices(seed: 1)
          #expect(choose(.inOrder, dispatcher, driver: driver, &none) == expected[0])
          #expect(none.recording == Choices.Recording())
        }
      }
    }
    #expect(checkedCount == 80 * 6 * 5)
  }

  @Test func `the policy in order keeps a lane while it runs, then takes the lowest`() {
    var dispatcher = dispatcher(able: [0, 1, 3, 4], lastRan: nil)
    var choices = Choices(seed: 1)
    var order: [Int] = []
    for turn in 0..<8 {
      let lane = choose(.inOrder, dispatcher, driver: 0, &choices)
      order.append(lane)
      dispatcher.noteRan(LaneID(index: lane))
      if turn % 2 == 1 { _ = dispatcher.pop(LaneID(index: lane)) }
    }
    #expect(order == [1, 1, 3, 3, 4, 4, 0, 0])
  }

  @Test func `the random policy takes each lane equally often`() {
    let dispatcher = dispatcher(able: [0, 1, 3, 4], lastRan: 3)
    var choices = Choices(seed: 1)
    var counts = [0, 0, 0, 0, 0]
    for _ in 0..<40_000 { counts[choose(.random, dispatcher, driver: 0, &choices)] += 1 }
    #expect(counts[2] == 0)
    // The standard deviation is 87.
    for index in [0, 1, 3, 4] { #expect(abs(counts[index] - 10_000) < 500, "\(counts)") }
  }
}
