import SimulatedDispatch
import Testing

@Suite struct `Virtual time` {
  var dispatcher = Dispatcher<String>()

  private mutating func advance() -> Int? {
    let hasAdvanced = dispatcher.advanceTime()
    dispatcher.checkInvariants()
    return hasAdvanced ? dispatcher.now.milliseconds : nil
  }

  private mutating func runBlocks(of queue: QueueID) -> [String] {
    let worker = dispatcher.worker(of: queue)
    var names: [String] = []
    while dispatcher.top(of: worker) != nil {
      names.append(dispatcher.pop(worker))
      dispatcher.finishBlock(on: worker)
    }
    return names
  }

  @Test mutating func `delayed blocks run by deadline, and then in order of arrival`() {
    let queue = dispatcher.makeQueue()
    for (delay, name) in [(20, "e"), (10, "b"), (10, "c"), (5, "a"), (10, "d"), (20, "f")] {
      dispatcher.asyncAfter(delay, name, on: queue)
    }
    #expect(dispatcher.runnable.isEmpty && !dispatcher.isQuiescent)
    #expect(advance() == 5)
    #expect(runBlocks(of: queue) == ["a"])
    #expect(advance() == 10)
    #expect(runBlocks(of: queue) == ["b", "c", "d"])
    #expect(advance() == 20)
    #expect(runBlocks(of: queue) == ["e", "f"])
    #expect(advance() == nil)
    #expect(dispatcher.isQuiescent && dispatcher.now == Instant(milliseconds: 20))
  }

  @Test mutating func `virtual time counts a deadline from when it was set`() {
    let queue = dispatcher.makeQueue()
    dispatcher.asyncAfter(10, "early", on: queue)
    #expect(advance() == 10)
    dispatcher.asyncAfter(10, "late", on: queue)
    #expect(runBlocks(of: queue) == ["early"])
    #expect(advance() == 20)
    #expect(runBlocks(of: queue) == ["late"])
  }

  @Test mutating func `virtual time wakes all sleepers that are due together, and no others`() {
    let threads = (0..<3).map { _ in dispatcher.makeThread() }
    for thread in threads { dispatcher.push("work", on: thread) }
    dispatcher.sleep(threads[0], milliseconds: 7)
    dispatcher.sleep(threads[2], milliseconds: 7)
    #expect(dispatcher.runnable == [threads[1]])
    dispatcher.sleep(threads[1], milliseconds: 8)
    #expect(dispatcher.runnableCount == 0 && !dispatcher.isQuiescent)
    #expect(advance() == 7)
    #expect(dispatcher.runnable == [threads[0], threads[2]])
  }

  @Test mutating func `virtual time stands still while a lane is runnable`() {
    let thread = dispatcher.makeThread()
    dispatcher.push("work", on: thread)
    dispatcher.asyncAfter(5, "block", on: dispatcher.makeQueue())
    #expect(advance() == nil)
    #expect(dispatcher.now == Instant(milliseconds: 0))
    #expect(dispatcher.runnable == [thread])
    #expect(dispatcher.pop(thread) == "work")
    #expect(advance() == 5)
  }

  @Test mutating func `a delay of zero is no delay`() {
    let (queue, thread) = (dispatcher.makeQueue(), dispatcher.makeThread())
    dispatcher.push("work", on: thread)
    dispatcher.sleep(thread, milliseconds: 0)
    dispatcher.asyncAfter(0, "block", on: queue)
    #expect(dispatcher.runnable == [dispatcher.worker(of: queue), thread])
  }

  @Test mutating func `virtual time passes in a sleeper that owns a queue`() {
    let lock = dispatcher.makeQueue()
    let threads = [dispatcher.makeThread(), dispatcher.makeThread()]
    for thread in threads { dispatcher.push("work", on: thread) }
    #expect(dispatcher.acquire(lock, for: threads[0]) == .granted)
    dispatcher.sleep(threads[0], milliseconds: 30)
    #expect(dispatcher.acquire(lock, for: threads[1]) == .waiting)
    #expect(dispatcher.blockedLanes.isEmpty)
    #expect(advance() == 30)
    #expect(dispatcher.runnable == [threads[0]])
  }
}
