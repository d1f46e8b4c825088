import SimulatedDispatch
import Testing

@Suite struct `A queue` {
  var dispatcher = Dispatcher<String>()

  /// Lets the lane that can run finish its block, and returns the block.
  private mutating func runBlock(of queue: QueueID) -> String {
    let worker = dispatcher.worker(of: queue)
    let name = dispatcher.pop(worker)
    dispatcher.finishBlock(on: worker)
    dispatcher.checkInvariants()
    return name
  }

  @Test mutating func `a queue gives a block its worker and nothing else to run`() {
    let queue = dispatcher.makeQueue()
    let worker = dispatcher.worker(of: queue)
    #expect(dispatcher.owner(of: queue) == nil && dispatcher.runnable.isEmpty)
    dispatcher.async("first", on: queue)
    dispatcher.async("second", on: queue)
    #expect(dispatcher.runnable == [worker])
    #expect(dispatcher.owns(worker, queue))
    #expect(dispatcher.frames(of: worker) == ["first"])
    dispatcher.push("call", on: worker)
    dispatcher.replaceTop(of: worker, with: "return")
    #expect(dispatcher.frames(of: worker) == ["first", "return"])
    #expect(dispatcher.pop(worker) == "return")
    #expect(runBlock(of: queue) == "first")
    #expect(dispatcher.frames(of: worker) == ["second"])
    #expect(runBlock(of: queue) == "second")
    #expect(dispatcher.owner(of: queue) == nil && dispatcher.isQuiescent)
  }

  @Test mutating func `a queue serves a block first that comes before all others in line`() {
    let queue = dispatcher.makeQueue()
    dispatcher.asyncFirst("a", on: queue)
    // These are more blocks than the ring has slots for at first, and the ring begins in its
    // middle.
    for name in ["d", "e", "f", "g"] { dispatcher.async(name, on: queue) }
    #expect(runBlock(of: queue) == "a")
    for name in ["c", "b"] { dispatcher.asyncFirst(name, on: queue) }
    #expect(runBlock(of: queue) == "d")
    for name in ["b", "c", "e", "f", "g"] { #expect(runBlock(of: queue) == name) }
    #expect(dispatcher.isQuiescent)
  }

  @Test mutating func `a queue serves blocks and waiting lanes in the order of arrival`() {
    let queue = dispatcher.makeQueue()
    let worker = dispatcher.worker(of: queue)
    // The later thread comes first, so that the orders of ids and of arrival differ.
    let second = dispatcher.makeThread()
    let first = dispatcher.makeThread()
    for thread in [first, second] { dispatcher.push("thread", on: thread) }

    dispatcher.async("a", on: queue)
    #expect(dispatcher.acquire(queue, for: first) == .waiting)
    dispatcher.async("b", on: queue)
    #expect(dispatcher.acquire(queue, for: second) == .waiting)
    dispatcher.async("c", on: queue)
    #expect(dispatcher.waits(of: first) == queue)
    #expect(dispatcher.runnable == [worker])

    #expect(runBlock(of: queue) == "a")
    #expect(dispatcher.owner(of: queue) == first && dispatcher.runnable == [first])
    #expect(dispatcher.waits(of: first) == nil)
    dispatcher.release(queue, by: first)
    #expect(runBlock(of: queue) == "b")
    #expect(dispatcher.owner(of: queue) == second)
    dispatcher.release(queue, by: second)
    #expect(runBlock(of: queue) == "c")
    #expect(dispatcher.owner(of: queue) == nil)
  }

  @Test mutating func `a queue does not let a newcomer overtake the line`() {
    let queue = dispatcher.makeQueue()
    let threads = [dispatcher.makeThread(), dispatcher.makeThread()]
    #expect(dispatcher.acquire(queue, for: threads[0]) == .granted)
    dispatcher.async("block", on: queue)
    dispatcher.release(queue, by: threads[0])
    #expect(dispatcher.acquire(queue, for: threads[1]) == .waiting)
    #expect(dispatcher.acquire(queue, for: threads[0]) == .waiting)
    #expect(runBlock(of: queue) == "block")
    #expect(dispatcher.owner(of: queue) == threads[1])
    dispatcher.release(queue, by: threads[1])
    #expect(dispatcher.owner(of: queue) == threads[0])
  }

  @Test mutating func `a queue needs one release for each time it was taken`() {
    let queue = dispatcher.makeQueue()
    let (owner, other) = (dispatcher.makeThread(), dispatcher.makeThread())
    #expect(dispatcher.acquire(queue, for: owner) == .granted)
    #expect(dispatcher.acquire(queue, for: owner) == .reentrant)
    #expect(dispatcher.acquire(queue, for: owner) == .reentrant)
    #expect(dispatcher.acquire(queue, for: other) == .waiting)
    for _ in 0..<2 {
      dispatcher.release(queue, by: owner)
      #expect(dispatcher.owner(of: queue) == owner)
    }
    dispatcher.release(queue, by: owner)
    #expect(dispatcher.owner(of: queue) == other)
    dispatcher.checkInvariants()
  }

  @Test mutating func `a queue may be taken again by its own block, or by a call that came back`() {
    let (view, edit) = (dispatcher.makeQueue(), dispatcher.makeQueue())
    let main = dispatcher.worker(of: view)
    dispatcher.async("main", on: view)
    #expect(dispatcher.acquire(view, for: main) == .reentrant)
    #expect(dispatcher.acquire(edit, for: main) == .granted)
    // The block is on edit, but still in the call from view, so there is no deadlock.
    #expect(dispatcher.acquire(view, for: main) == .reentrant)
    dispatcher.release(view, by: main)
    dispatcher.release(edit, by: main)
    dispatcher.release(view, by: main)
    #expect(runBlock(of: view) == "main")
    #expect(dispatcher.owner(of: view) == nil)
  }

  @Test mutating func `a queue keeps its worker while the block waits for another queue`() {
    let (view, edit) = (dispatcher.makeQueue(), dispatcher.makeQueue())
    dispatcher.async("first", on: view)
    dispatcher.async("second", on: view)
    dispatcher.async("edit", on: edit)
    #expect(dispatcher.acquire(edit, for: dispatcher.worker(of: view)) == .waiting)
    #expect(dispatcher.runnable == [dispatcher.worker(of: edit)])
    #expect(runBlock(of: edit) == "edit")
    #expect(dispatcher.owner(of: edit) == dispatcher.worker(of: view))
    dispatcher.release(edit, by: dispatcher.worker(of: view))
    #expect(runBlock(of: view) == "first")
    #expect(runBlock(of: view) == "second")
  }

  @Test mutating func `a queue is taken by a lane without frames, which then cannot run`() {
    let (lock, thread) = (dispatcher.makeQueue(), dispatcher.makeThread())
    #expect(dispatcher.acquire(lock, for: thread) == .granted)
    #expect(dispatcher.runnable.isEmpty)
    dispatcher.push("work", on: thread)
    #expect(dispatcher.runnable == [thread])
  }

  @Test mutating func `a queue keeps a long line in order however it grows and shrinks`() {
    let queue = dispatcher.makeQueue()
    var enqueued = 0
    var ran = 0
    for round in 0..<200 {
      for _ in 0..<(round * 7 % 23) {
        dispatcher.async("\(enqueued)", on: queue)
        enqueued += 1
      }
      for _ in 0..<(round * 5 % 19) where ran < enqueued {
        #expect(runBlock(of: queue) == "\(ran)")
        ran += 1
      }
    }
    #expect(enqueued - ran > 64)
    while ran < enqueued {
      #expect(runBlock(of: queue) == "\(ran)")
      ran += 1
    }
    #expect(dispatcher.isQuiescent)
  }

  @Test func `a dispatcher traps when it is used against its rules`() async {
    await #expect(processExitsWith: .failure) {
      var dispatcher = Dispatcher<String>()
      let (queue, thread) = (dispatcher.makeQueue(), dispatcher.makeThread())
      dispatcher.release(queue, by: thread)
    }
    await #expect(processExitsWith: .failure) {
      var dispatcher = Dispatcher<String>()
      let queue = dispatcher.makeQueue()
      dispatcher.push("not in a block", on: dispatcher.worker(of: queue))
    }
    await #expect(processExitsWith: .failure) {
      var dispatcher = Dispatcher<String>()
      let (queue, lock) = (dispatcher.makeQueue(), dispatcher.makeQueue())
      let worker = dispatcher.worker(of: queue)
      dispatcher.async("block", on: queue)
      _ = dispatcher.acquire(lock, for: worker)
      _ = dispatcher.pop(worker)
      dispatcher.finishBlock(on: worker)
    }
  }
}
