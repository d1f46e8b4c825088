import CoreData
import Dispatch
import LiveCode
import Testing

@Suite struct `A concurrent queue of the app` {
  /// Enqueues three blocks that read, a block that writes with the given flags, and three more
  /// blocks that read.
  private func readAndWrite(
    _ log: EventLog, _ flags: DispatchWorkItemFlags, seed: UInt64, _ threads: ThreadPool
  ) -> (seen: [Int], isWritten: [Bool], outcome: LiveOutcome) {
    var (seen, isWritten): ([Int], [Bool]) = ([], [])
    let outcome = live(seed: seed, threads: threads) {
      let queue = SimulatedDispatchQueue(label: "work", attributes: .concurrent)
      let group = SimulatedDispatchGroup()
      var hasWritten = false
      func read() {
        isWritten.append(hasWritten)
        log.overlap { SimulatedThread.sleep(forTimeInterval: 0.002) }
      }
      for _ in 0..<3 { queue.async(group: group) { read() } }
      queue.async(group: group, flags: flags) {
        seen.append(log.running)
        SimulatedThread.sleep(forTimeInterval: 0.005)
        seen.append(log.running)
        hasWritten = true
      }
      for _ in 0..<3 { queue.async(group: group) { read() } }
      group.wait()
    }
    return (seen, isWritten, outcome)
  }

  @Test func `a barrier runs alone, after earlier blocks and before later blocks`() {
    let threads = ThreadPool()
    defer { threads.drain() }
    let log = EventLog()
    var seenWithoutBarrier: Set<[Int]> = []
    for seed in 1...30 as ClosedRange<UInt64> {
      let (seen, isWritten, outcome) = readAndWrite(log, .barrier, seed: seed, threads)
      #expect(seen == [0, 0], "seed \(seed)")
      #expect(isWritten == [false, false, false, true, true, true], "seed \(seed)")
      #expect(outcome.stop == nil && outcome.disagreement == nil, "seed \(seed)")
      seenWithoutBarrier.insert(readAndWrite(log, [], seed: seed, threads).seen)
    }
    #expect(log.mostRunning > 2)
    #expect(seenWithoutBarrier.count > 1)
  }

  @Test func `a synchronous barrier waits for earlier blocks`() {
    var (withBarrier, without) = (-1, -1)
    let outcome = live {
      let queue = SimulatedDispatchQueue(label: "work", attributes: .concurrent)
      var done = 0
      func begin() {
        for _ in 0..<3 {
          queue.async {
            SimulatedThread.sleep(forTimeInterval: 0.01)
            done += 1
          }
        }
      }
      begin()
      without = queue.sync { done }
      withBarrier = queue.sync(flags: .barrier) { done }
      begin()
      queue.async { #expect(done == 3) }
      #expect(queue.sync(flags: .barrier) { done } == 6)
    }
    #expect(without == 0)
    #expect(withBarrier == 3)
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a synchronous barrier rethrows the error of its block`() {
    struct Refusal: Error {}
    let outcome = live {
      let queue = SimulatedDispatchQueue(label: "work", attributes: .concurrent)
      #expect(throws: Refusal.self) { try queue.sync(flags: .barrier) { throw Refusal() } }
      // The queue is no longer held after the block has thrown an error.
      #expect(queue.sync(flags: .barrier) { 1 } == 1)
    }
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a suspended concurrent queue begins nothing`() {
    var ran: [Int] = []
    let outcome = live {
      let queue = SimulatedDispatchQueue(label: "work", attributes: .concurrent)
      queue.suspend()
      for number in 1...3 { queue.async { ran.append(number) } }
      SimulatedMainLoop.run(milliseconds: 10)
      #expect(ran.isEmpty)
      SimulatedDispatchQueue.main.asyncAfter(deadline: .now() + 0.01) { queue.resume() }
      SimulatedMainLoop.run(milliseconds: 20)
      #expect(ran.sorted() == [1, 2, 3])
    }
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `concurrentPerform runs its iterations at the same time and waits for all`() {
    let threads = ThreadPool()
    defer { threads.drain() }
    var orders: Set<[Int]> = []
    for seed in 1...30 as ClosedRange<UInt64> {
      var order: [Int] = []
      let outcome = live(seed: seed, threads: threads) {
        SimulatedDispatchQueue.concurrentPerform(iterations: 4) { number in
          SimulatedThread.sleep(forTimeInterval: 0.001)
          order.append(number)
        }
        #expect(order.sorted() == [0, 1, 2, 3], "seed \(seed)")
      }
      #expect(outcome.stop == nil && outcome.disagreement == nil, "seed \(seed)")
      orders.insert(order)
    }
    #expect(orders.count > 2)
  }
}

@Suite struct `A serial queue of the app` {
  @Test func `a suspended serial queue begins nothing and keeps the order`() {
    var ran: [Int] = []
    let outcome = live {
      let queue = SimulatedDispatchQueue(label: "work")
      queue.async { ran.append(0) }
      queue.sync {}
      queue.suspend()
      for number in 1...3 { queue.async { ran.append(number) } }
      SimulatedMainLoop.run(milliseconds: 10)
      #expect(ran == [0])
      queue.resume()
      queue.sync { #expect(ran == [0, 1, 2, 3]) }
    }
    #expect(ran == [0, 1, 2, 3])
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `an inactive queue begins nothing before it is activated`() {
    var ran = 0
    let outcome = live {
      let queue = SimulatedDispatchQueue(label: "work", attributes: .initiallyInactive)
      queue.async { ran += 1 }
      SimulatedMainLoop.run(milliseconds: 10)
      #expect(ran == 0)
      queue.activate()
      queue.sync { #expect(ran == 1) }
    }
    #expect(ran == 1)
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a wait for a suspended queue stands still`() {
    let outcome = live {
      let queue = SimulatedDispatchQueue(label: "work")
      queue.suspend()
      queue.sync {}
    }
    #expect(outcome.stop == .standstill)
    #expect(outcome.disagreement == nil)
  }

  @Test func `queues with the same target run one block at a time`() {
    let log = EventLog()
    let threads = ThreadPool()
    defer { threads.drain() }
    for seed in 1...20 as ClosedRange<UInt64> {
      let outcome = live(seed: seed, threads: threads) {
        let target = SimulatedDispatchQueue(label: "target")
        let queues = (0..<2).map { SimulatedDispatchQueue(label: "work \($0)", target: target) }
        for queue in queues + [target] {
          queue.async { log.overlap { SimulatedThread.sleep(forTimeInterval: 0.001) } }
        }
        SimulatedMainLoop.run(milliseconds: 10)
      }
      #expect(outcome.stop == nil && outcome.disagreement == nil, "seed \(seed)")
    }
    #expect(log.mostRunning == 1)
  }

  @Test func `code on a queue sees the specific values of the queue and its target`() {
    let outcome = live {
      let (key, other) = (DispatchSpecificKey<String>(), DispatchSpecificKey<Int>())
      let target = SimulatedDispatchQueue(label: "target")
      let queue = SimulatedDispatchQueue(label: "work", target: target)
      queue.setSpecific(key: key, value: "work")
      target.setSpecific(key: other, value: 3)
      #expect(queue.getSpecific(key: key) == "work")
      #expect(queue.getSpecific(key: other) == nil)
      #expect(SimulatedDispatchQueue.getSpecific(key: key) == nil)
      queue.sync {
        #expect(SimulatedDispatchQueue.getSpecific(key: key) == "work")
        #expect(SimulatedDispatchQueue.getSpecific(key: other) == 3)
      }
      #expect(SimulatedDispatchQueue.getSpecific(key: other) == nil)
      SimulatedDispatchQueue.main.setSpecific(key: key, value: "main")
      #expect(SimulatedDispatchQueue.getSpecific(key: key) == "main")
      SimulatedDispatchQueue.main.setSpecific(key: key, value: nil)
      #expect(SimulatedDispatchQueue.getSpecific(key: key) == nil)
      queue.setSpecific(key: key, value: nil)
      queue.sync { #expect(SimulatedDispatchQueue.getSpecific(key: key) == nil) }
    }
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `the current queue is the queue of the innermost block`() {
    let log = EventLog()
    let outcome = live {
      let key = DispatchSpecificKey<String>()
      let outer = SimulatedDispatchQueue(label: "outer")
      let inner = SimulatedDispatchQueue(label: "inner", attributes: .concurrent)
      outer.setSpecific(key: key, value: "outer")
      outer.sync {
        inner.sync { #expect(SimulatedDispatchQueue.getSpecific(key: key) == nil) }
        inner.setSpecific(key: key, value: "inner")
        inner.sync {
          #expect(SimulatedDispatchQueue.getSpecific(key: key) == "inner")
          simulatedDispatchPrecondition(condition: .onQueue(outer))
        }
        #expect(SimulatedDispatchQueue.getSpecific(key: key) == "outer")
      }
      inner.async { log.note(SimulatedDispatchQueue.getSpecific(key: key) ?? "none") }
    }
    #expect(log.events == ["inner"])
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }
}
