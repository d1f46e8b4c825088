import Determinism
import SimulatedDispatch
import Testing

@Suite struct `A scheduling policy` {
  /// Five threads, of which those in `able` have something to do.
  private func dispatcher(able: [Int], lastRan: Int?) -> Dispatcher<Int> {
    var dispatcher = Dispatcher<Int>()
    let lanes = (0..<5).map { _ in dispatcher.makeThread() }
    for index in able { dispatcher.push(0, on: lanes[index]) }
    if let lastRan { dispatcher.noteRan(lanes[lastRan]) }
    return dispatcher
  }

  private func choose(
    _ policy: SchedulingPolicy, _ dispatcher: Dispatcher<Int>, driver: Int, _ choices: inout Choices
  ) -> Int {
    policy.choose(among: dispatcher, driver: LaneID(index: driver), choices: &choices).index
  }

  /// The alternatives as the documentation words them.
  private func alternatives(able: [Int], lastRan: Int?, driver: Int) -> [Int] {
    let first = able.filter { $0 == lastRan && $0 != driver }
    let last = able.filter { $0 == driver }
    return first + able.filter { !(first + last).contains($0) } + last
  }

  @Test func `numbers the present lane 0, the others by id, and the driver last`() {
    var checkedCount = 0
    for subset in 1..<32 {
      let able = (0..<5).filter { subset >> $0 & 1 == 1 }
      for lastRan in [nil, 0, 1, 2, 3, 4] as [Int?] {
        let dispatcher = dispatcher(able: able, lastRan: lastRan)
        let present = able.filter { $0 == lastRan }
        #expect(
          dispatcher.runnable.map(\.index) == present + able.filter { $0 != lastRan })
        for driver in 0..<5 {
          let expected = alternatives(able: able, lastRan: lastRan, driver: driver)
          for (number, lane) in expected.enumerated() {
            var choices = Choices(
              replaying: Choices.Recording(streams: [[], [], [UInt32(number)], []]))
            #expect(choose(.random, dispatcher, driver: driver, &choices) == lane)
            #expect(choices.recording[.schedule] == (able.count > 1 ? [UInt32(number)] : []))
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

  @Test func `in order keeps a lane while it can run and then takes the lowest`() {
    var dispatcher = dispatcher(able: [0, 1, 3, 4], lastRan: nil)
    var choices = Choices(seed: 1)
    var order: [Int] = []
    for turn in 0..<8 {
      let lane = SchedulingPolicy.inOrder.choose(
        among: dispatcher, driver: LaneID(index: 0), choices: &choices)
      order.append(lane.index)
      dispatcher.noteRan(lane)
      if turn % 2 == 1 { _ = dispatcher.pop(lane) }
    }
    #expect(order == [1, 1, 3, 3, 4, 4, 0, 0])
  }

  @Test func `at random takes each lane equally often`() {
    let dispatcher = dispatcher(able: [0, 1, 3, 4], lastRan: 3)
    var choices = Choices(seed: 1)
    var counts = [0, 0, 0, 0, 0]
    for _ in 0..<40_000 { counts[choose(.random, dispatcher, driver: 0, &choices)] += 1 }
    #expect(counts[2] == 0)
    // Standard deviation 87.
    for index in [0, 1, 3, 4] { #expect(abs(counts[index] - 10_000) < 500, "\(counts)") }
  }
}
