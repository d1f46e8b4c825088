import Foundation
import SimulatedDispatch
import Testing

@Suite struct `A deadlock` {
  var dispatcher = Dispatcher<Int>()

  private func text(_ deadlock: Deadlock, lanes: [LaneID: String], queues: [String]) -> String {
    deadlock.description(
      lane: { lanes[$0] ?? "?" }, queue: { queues.indices ~= $0.index ? queues[$0.index] : "?" })
  }

  @Test mutating func `a deadlock of two queues is found at the wait that closes it`() throws {
    let main = dispatcher.makeThread()
    let (view, edit) = (dispatcher.makeQueue(), dispatcher.makeQueue())
    let editor = dispatcher.worker(of: edit)
    dispatcher.push(0, on: main)
    dispatcher.async(0, on: edit)
    #expect(dispatcher.acquire(view, for: main) == .granted)
    #expect(dispatcher.acquire(edit, for: main) == .waiting)
    guard case .deadlock(let deadlock) = dispatcher.acquire(view, for: editor) else {
      Issue.record("not found")
      return
    }
    #expect(
      deadlock.links == [
        .init(lane: editor, waitsFor: view), .init(lane: main, waitsFor: edit),
      ])
    #expect(
      text(deadlock, lanes: [main: "main", editor: "edit's block"], queues: ["view", "edit"])
        == "edit's block owns edit and waits for view; main owns view and waits for edit")
    #expect(dispatcher.deadlocks == [deadlock])
    #expect(dispatcher.isQuiescent)
    #expect(dispatcher.waits(of: main) == edit && dispatcher.waits(of: editor) == view)
    dispatcher.checkInvariants()
  }

  @Test mutating func `a deadlock of one lane goes through a queue with its own thread`() throws {
    let lane = dispatcher.makeThread()
    let (main, root) = (dispatcher.makeQueue(), dispatcher.makeQueue())
    dispatcher.push(0, on: lane)
    #expect(dispatcher.acquire(root, for: lane) == .granted)
    #expect(dispatcher.acquire(main, for: lane, leaving: [root]) == .granted)
    #expect(dispatcher.isBehind(root, lane) && !dispatcher.isBehind(main, lane))
    dispatcher.checkInvariants()
    guard case .deadlock(let deadlock) = dispatcher.acquire(root, for: lane) else {
      Issue.record("not found")
      return
    }
    #expect(deadlock.through == main && deadlock.queues == [main, root])
    #expect(
      text(deadlock, lanes: [lane: "a thread"], queues: ["main", "root"])
        == "a thread owns root and waits for a block on main, which waits for root")
    dispatcher.checkInvariants()
  }

  @Test mutating func `a thread that has given its queue back is in no deadlock`() {
    let lane = dispatcher.makeThread()
    let (main, root) = (dispatcher.makeQueue(), dispatcher.makeQueue())
    #expect(dispatcher.acquire(root, for: lane) == .granted)
    #expect(dispatcher.acquire(main, for: lane, leaving: [root]) == .granted)
    // A wait for the thread's own queue is no wait for another thread.
    #expect(dispatcher.acquire(main, for: lane, leaving: [root]) == .reentrant)
    dispatcher.release(main, by: lane)
    #expect(dispatcher.isBehind(root, lane))
    dispatcher.release(main, by: lane)
    #expect(dispatcher.acquire(root, for: lane) == .reentrant)
    #expect(dispatcher.deadlocks.isEmpty)
    dispatcher.checkInvariants()
  }

  @Test mutating func `a deadlock of three queues names each lane with what it owns and wants`() {
    let queues = (0..<3).map { _ in dispatcher.makeQueue() }
    for queue in queues { dispatcher.async(0, on: queue) }
    let lanes = queues.map(dispatcher.worker)
    #expect(dispatcher.acquire(queues[1], for: lanes[0]) == .waiting)
    #expect(dispatcher.acquire(queues[2], for: lanes[1]) == .waiting)
    guard case .deadlock(let deadlock) = dispatcher.acquire(queues[0], for: lanes[2]) else {
      Issue.record("not found")
      return
    }
    #expect(
      text(
        deadlock, lanes: [lanes[0]: "first", lanes[1]: "second", lanes[2]: "third"],
        queues: ["a", "b", "c"])
        == "third owns c and waits for a; first owns a and waits for b; "
        + "second owns b and waits for c")
  }

  @Test mutating func `a line that still moves is no deadlock`() {
    // Both threads wait for the same queue, and neither owns what the other wants.
    let (queue, lock) = (dispatcher.makeQueue(), dispatcher.makeQueue())
    let threads = (0..<3).map { _ in dispatcher.makeThread() }
    #expect(dispatcher.acquire(queue, for: threads[0]) == .granted)
    #expect(dispatcher.acquire(lock, for: threads[1]) == .granted)
    #expect(dispatcher.acquire(queue, for: threads[1]) == .waiting)
    #expect(dispatcher.acquire(lock, for: threads[2]) == .waiting)
    dispatcher.release(queue, by: threads[0])
    #expect(dispatcher.owner(of: queue) == threads[1])
    #expect(dispatcher.blockedLanes.isEmpty && dispatcher.deadlocks.isEmpty)
  }

  @Test mutating func `a wait that looks like re-entrance is a deadlock`() {
    // Main enqueued the block on edit, but the block runs on a lane of its own.
    let (view, edit) = (dispatcher.makeQueue(), dispatcher.makeQueue())
    let (main, editor) = (dispatcher.worker(of: view), dispatcher.worker(of: edit))
    dispatcher.async(0, on: view)
    dispatcher.async(0, on: edit)
    #expect(dispatcher.acquire(view, for: editor) == .waiting)
    guard case .deadlock = dispatcher.acquire(edit, for: main) else {
      Issue.record("not found")
      return
    }
    #expect(dispatcher.blockedLanes.map(\.lane) == [main, editor])
  }

  @Test mutating func `a deadlock of some lanes lets the others run to the end`() {
    let queues = (0..<3).map { _ in dispatcher.makeQueue() }
    let workers = queues.map(dispatcher.worker)
    for queue in queues { dispatcher.async(0, on: queue) }
    dispatcher.async(1, on: queues[2])
    #expect(dispatcher.acquire(queues[1], for: workers[0]) == .waiting)
    guard case .deadlock = dispatcher.acquire(queues[0], for: workers[1]) else {
      Issue.record("not found")
      return
    }
    // One more lane waits for the cycle. It is in no cycle of its own, and the search for one ends.
    let late = dispatcher.makeThread()
    dispatcher.push(0, on: late)
    #expect(dispatcher.acquire(queues[1], for: late) == .waiting)
    dispatcher.async(2, on: queues[0])

    #expect(!dispatcher.isQuiescent)
    for block in 0..<2 {
      #expect(dispatcher.runnable == [workers[2]])
      #expect(dispatcher.pop(workers[2]) == block)
      dispatcher.finishBlock(on: workers[2])
    }
    #expect(dispatcher.isQuiescent)
    let isOver = !dispatcher.advanceTime()
    #expect(isOver)
    #expect(dispatcher.deadlocks.count == 1)
    #expect(
      dispatcher.blockedLanes == [
        .init(lane: workers[0], waitsFor: queues[1]), .init(lane: workers[1], waitsFor: queues[0]),
        .init(lane: late, waitsFor: queues[1]),
      ])
    dispatcher.checkInvariants()
  }

  /// The check has a separate process, because other tests take memory of this one.
  @Test func `a deadlock leaves nothing behind, not even after a million`() async {
    await #expect(processExitsWith: .success) {
      func deadlock() -> Bool {
        var dispatcher = Dispatcher<Int>()
        let (view, edit) = (dispatcher.makeQueue(), dispatcher.makeQueue())
        dispatcher.async(0, on: view)
        dispatcher.async(0, on: edit)
        _ = dispatcher.acquire(edit, for: dispatcher.worker(of: view))
        let outcome = dispatcher.acquire(view, for: dispatcher.worker(of: edit))
        return if case .deadlock = outcome { true } else { false }
      }
      var count = 0
      for _ in 0..<10_000 where deadlock() { count += 1 }
      let before = try DeadlockMemory.residentPages()
      for _ in 0..<990_000 where deadlock() { count += 1 }
      let growth = try DeadlockMemory.residentPages() - before
      Swift.precondition(count == 1_000_000)
      // A leak would take some 500 megabytes.
      Swift.precondition(growth < 4_096)
    }
  }
}

private enum DeadlockMemory {
  static func residentPages() throws -> Int {
    #if os(Linux)
      let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
      return try #require(Int(text.split(separator: " ")[1]))
    #else
      return 0
    #endif
  }
}
