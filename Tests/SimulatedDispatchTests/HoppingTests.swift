import Determinism
import SimulatedDispatch
import Testing

@Suite struct `A thousand lanes that hop between queues at random` {
  private func world(seed: UInt64) -> HoppingWorld {
    HoppingWorld(
      queueCount: 500, threadCount: 499, blockLimit: 4_000, isOrderly: true, seed: seed)
  }

  @Test(arguments: [SchedulingPolicy.inOrder, .random])
  func `hopping lanes run every block once and each queue in order`(policy: SchedulingPolicy) {
    var world = world(seed: 1)
    var choices = Choices(seed: 2)
    let isAtRest = world.run(policy, &choices)
    #expect(isAtRest)
    world.dispatcher.checkInvariants()
    #expect(world.runCounts.count == 4_000)
    #expect(world.runCounts.allSatisfy { $0 == 1 })
    #expect(world.dispatcher.isQuiescent)
    #expect(world.dispatcher.deadlocks.isEmpty)
    #expect(world.lanes.allSatisfy { world.dispatcher.frameCount(of: $0) == 0 })
  }

  @Test func `hopping lanes go the same way with the same seed, and not with another`() {
    func digest(_ seed: UInt64) -> Digest {
      var world = world(seed: 1)
      var choices = Choices(seed: seed)
      _ = world.run(.random, &choices, steps: 5_000)
      return world.digest
    }
    #expect(digest(3) == digest(3))
    #expect(digest(3) != digest(4))
  }

  @Test func `hopping lanes go the same way in every process, build and machine`() {
    var world = world(seed: 1)
    var choices = Choices(seed: 2)
    _ = world.run(.random, &choices, steps: 5_000)
    #expect(world.digest.description == "1c8bb33567b9f660")
  }

  @Test func `hopping lanes continue alike in both copies of a world`() {
    var first = world(seed: 5)
    var choices = Choices(seed: 6)
    _ = first.run(.random, &choices, steps: 5_000)
    var second = first
    #expect(second == first && second.hashValue == first.hashValue)

    var firstChoices = Choices(seed: 7)
    let firstIsAtRest = first.run(.random, &firstChoices)
    #expect(firstIsAtRest && second != first)
    var secondChoices = Choices(seed: 7)
    _ = second.run(.random, &secondChoices)
    #expect(second.digest == first.digest)
    #expect(second == first && second.hashValue == first.hashValue)
  }

  @Test func `hopping lanes go the same way when the schedule is replayed`() {
    var first = world(seed: 8)
    var choices = Choices(seed: 9)
    _ = first.run(.random, &choices)
    var second = world(seed: 8)
    var replayed = Choices(replaying: choices.recording)
    _ = second.run(.random, &replayed)
    #expect(second == first)
    #expect(replayed.recording == choices.recording)
    #expect(choices.recording(of: .schedule).count > 1_000)
  }

  @Test func `hopping lanes go in order when the replayed schedule is empty`() {
    var first = world(seed: 10)
    var choices = Choices(seed: 0)
    _ = first.run(.inOrder, &choices)
    #expect(choices.recording(of: .schedule).isEmpty)
    var second = world(seed: 10)
    var exhausted = Choices(replaying: Choices.Recording())
    _ = second.run(.random, &exhausted)
    #expect(second == first)
  }
}

@Suite struct `A few lanes that take queues in any order` {
  @Test func `a few lanes keep their invariants and find every deadlock at once`() {
    var deadlockCount = 0
    var blockedCount = 0
    for seed in 0..<300 as Range<UInt64> {
      var world = HoppingWorld(
        queueCount: 5, threadCount: 4, blockLimit: 40, isOrderly: false, seed: seed)
      var choices = Choices(seed: seed)
      let isAtRest = world.run(.random, &choices) { $0.dispatcher.checkInvariants() }
      #expect(isAtRest && world.dispatcher.isQuiescent)

      let blocked = world.lanes.filter(world.waitsForEver)
      #expect(world.dispatcher.blockedLanes.map(\.lane) == blocked)
      #expect(
        world.dispatcher.blockedLanes.allSatisfy {
          world.dispatcher.waits(of: $0.lane) == $0.waitsFor
        })
      // At rest, a lane that still has something to do waits forever.
      #expect(world.lanes.filter { world.dispatcher.frameCount(of: $0) > 0 } == blocked)
      #expect(blocked.isEmpty == world.dispatcher.deadlocks.isEmpty)
      if blocked.isEmpty {
        #expect(world.runCounts.allSatisfy { $0 == 1 })
      } else {
        #expect(world.runCounts.allSatisfy { $0 <= 1 })
      }
      deadlockCount += world.dispatcher.deadlocks.count
      blockedCount += blocked.count
    }
    // The worlds must be interesting: some have several cycles, some have lanes behind the cycles.
    #expect(deadlockCount > 300)
    #expect(blockedCount > 3 * deadlockCount)
  }
}
