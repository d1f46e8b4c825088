import Determinism
import SimulatedDispatch
import Testing

@Suite struct `A suspended queue` {
  var dispatcher = Dispatcher<Int>()

  @Test mutating func `a suspended queue begins no block until it is resumed, then in order`() {
    let queue = dispatcher.makeQueue()
    let worker = dispatcher.worker(of: queue)
    dispatcher.suspend(queue)
    dispatcher.async(1, on: queue)
    dispatcher.async(2, on: queue)
    dispatcher.checkInvariants()
    #expect(dispatcher.isQuiescent && dispatcher.hasLine(queue))
    dispatcher.resume(queue)
    #expect(dispatcher.top(of: worker) == 1)
    _ = dispatcher.pop(worker)
    dispatcher.finishBlock(on: worker)
    #expect(dispatcher.top(of: worker) == 2)
    dispatcher.checkInvariants()
  }

  @Test mutating func `a suspended queue lets its owner end, and come back`() {
    let (queue, thread) = (dispatcher.makeQueue(), dispatcher.makeThread())
    #expect(dispatcher.acquire(queue, for: thread) == .granted)
    dispatcher.suspend(queue)
    #expect(dispatcher.acquire(queue, for: thread) == .reentrant)
    dispatcher.release(queue, by: thread)
    dispatcher.async(1, on: queue)
    dispatcher.release(queue, by: thread)
    #expect(dispatcher.owner(of: queue) == nil && dispatcher.hasLine(queue))
    #expect(dispatcher.acquire(queue, for: thread) == .waiting)
    dispatcher.checkInvariants()
  }

  @Test mutating func `a suspended queue is resumed as often as it was suspended`() {
    let queue = dispatcher.makeQueue()
    dispatcher.async(1, on: queue)
    dispatcher.suspend(queue)
    dispatcher.suspend(queue)
    #expect(dispatcher.suspensionCount(of: queue) == 2)
    _ = dispatcher.pop(dispatcher.worker(of: queue))
    dispatcher.finishBlock(on: dispatcher.worker(of: queue))
    dispatcher.async(2, on: queue)
    dispatcher.resume(queue)
    #expect(dispatcher.isSuspended(queue) && dispatcher.isQuiescent)
    dispatcher.resume(queue)
    #expect(!dispatcher.isSuspended(queue) && dispatcher.runnableCount == 1)
  }

  @Test mutating func `a suspended queue is no part of a cycle while no lane owns it`() {
    let (first, second) = (dispatcher.makeThread(), dispatcher.makeThread())
    let (held, suspended) = (dispatcher.makeQueue(), dispatcher.makeQueue())
    dispatcher.suspend(suspended)
    #expect(dispatcher.acquire(held, for: first) == .granted)
    #expect(dispatcher.acquire(suspended, for: first) == .waiting)
    #expect(dispatcher.acquire(held, for: second) == .waiting)
    #expect(dispatcher.deadlocks.isEmpty && dispatcher.blockedLanes.isEmpty)
    dispatcher.checkInvariants()
    dispatcher.resume(suspended)
    #expect(dispatcher.owner(of: suspended) == first)
  }

  @Test mutating func `a suspended queue that a lane owns can close a cycle`() {
    let (first, second) = (dispatcher.makeThread(), dispatcher.makeThread())
    let (a, b) = (dispatcher.makeQueue(), dispatcher.makeQueue())
    #expect(dispatcher.acquire(a, for: first) == .granted)
    #expect(dispatcher.acquire(b, for: second) == .granted)
    dispatcher.suspend(a)
    dispatcher.suspend(b)
    #expect(dispatcher.acquire(b, for: first) == .waiting)
    guard case .deadlock(let deadlock) = dispatcher.acquire(a, for: second) else {
      Issue.record("not found")
      return
    }
    #expect(deadlock.links.map(\.lane) == [second, first])
  }

  @Test mutating func `a suspended queue is another value than one that is not suspended`() {
    let queue = dispatcher.makeQueue()
    let before = dispatcher
    dispatcher.suspend(queue)
    #expect(dispatcher != before)
    #expect(dispatcher.changedQueues(since: before) == [queue])
    dispatcher.resume(queue)
    #expect(dispatcher == before && dispatcher.hashValue == before.hashValue)
  }
}

@Suite struct `Lanes that suspend and resume at random` {
  private func world(seed: UInt64, isOrderly: Bool = false) -> HoppingWorld {
    HoppingWorld(
      queueCount: 5, threadCount: 4, blockLimit: 40, isOrderly: isOrderly, suspends: true,
      seed: seed)
  }

  /// Every block runs once in the end, each queue keeps its order, and no deadlock is missed.
  @Test func `suspending lanes keep their invariants, and end once all is resumed`() {
    var heldUpCount = 0
    for seed in 0..<300 as Range<UInt64> {
      var world = world(seed: seed, isOrderly: seed % 2 == 0)
      var choices = Choices(seed: seed)
      var restCount = 0
      repeat {
        world.resumeAll()
        let isAtRest = world.run(.random, &choices) { $0.dispatcher.checkInvariants() }
        #expect(isAtRest)
        restCount += 1
      } while world.dispatcher.queueIDs.contains(where: world.dispatcher.isSuspended)
      if restCount > 1 { heldUpCount += 1 }
      let blocked = world.lanes.filter(world.waitsForEver)
      #expect(world.dispatcher.blockedLanes.map(\.lane) == blocked)
      #expect(world.lanes.filter { world.dispatcher.frameCount(of: $0) > 0 } == blocked)
      #expect(blocked.isEmpty == world.dispatcher.deadlocks.isEmpty)
      if blocked.isEmpty { #expect(world.runCounts.allSatisfy { $0 == 1 }) }
    }
    #expect(heldUpCount > 100)
  }

  @Test func `suspending lanes continue alike in both copies of a world`() {
    var first = world(seed: 5)
    var choices = Choices(seed: 6)
    _ = first.run(.random, &choices, steps: 60)
    var second = first
    for _ in 0..<2 {
      var firstChoices = Choices(seed: 7)
      _ = first.run(.random, &firstChoices)
      var secondChoices = Choices(seed: 7)
      _ = second.run(.random, &secondChoices)
      #expect(second == first && second.digest == first.digest)
      first.resumeAll()
      second.resumeAll()
    }
  }
}
