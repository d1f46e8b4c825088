import CoreData
import Dispatch
import Failures
import Invariants
import LiveCode
import Testing

@Suite struct `Queues of the app` {
  @Test func `a serial queue runs blocks in order, a concurrent queue in any order`() {
    let threads = ThreadPool()
    defer { threads.drain() }
    var orders: Set<[Int]> = []
    for seed in 1...40 as ClosedRange<UInt64> {
      var (serial, concurrent): ([Int], [Int]) = ([], [])
      let outcome = live(seed: seed, threads: threads) {
        let queue = SimulatedDispatchQueue(label: "serial")
        for number in 1...3 { queue.async { serial.append(number) } }
        queue.sync { #expect(serial == [1, 2, 3]) }
        let group = SimulatedDispatchGroup()
        for number in 1...3 {
          SimulatedDispatchQueue.global().async(group: group) { concurrent.append(number) }
        }
        var isNotified = false
        group.notify(queue: .main) { isNotified = true }
        group.wait()
        #expect(concurrent.count == 3)
        SimulatedMainLoop.run(milliseconds: 1)
        #expect(isNotified)
      }
      #expect(outcome.stop == nil, "seed \(seed)")
      orders.insert(concurrent)
    }
    #expect(orders.count > 2)
  }

  @Test func `a semaphore blocks until a signal, and without a signal for ever`() {
    let outcome = live(seed: 3) {
      let semaphore = SimulatedDispatchSemaphore(value: 0)
      var isDone = false
      SimulatedDispatchQueue.global().async {
        isDone = true
        semaphore.signal()
      }
      semaphore.wait()
      #expect(isDone)
    }
    #expect(outcome.stop == nil)
    #expect(live { SimulatedDispatchSemaphore(value: 0).wait() }.stop == .standstill)
  }

  /// A block on the main queue runs on the main thread, which does not hold the context's queue.
  @Test(arguments: [true, false])
  func `a context and a main-queue block that wait for each other deadlock`(comesBack: Bool) {
    let outcome = live {
      let context = Notes.container().newBackgroundContext()
      context.perform {
        SimulatedDispatchQueue.main.sync { if comesBack { context.performAndWait {} } }
      }
      SimulatedMainLoop.run(milliseconds: 1)
      // The main thread may acquire a queue again that it already holds.
      context.performAndWait { SimulatedDispatchQueue.main.async { context.performAndWait {} } }
    }
    #expect(outcome.stop == (comesBack ? .deadlock : nil))
  }

  /// A block on the main queue may not touch the context, even if the context's own block waits for
  /// it.
  @Test func `a main-queue block may not touch the context that waits for it`() {
    let outcome = live {
      let context = Notes.container().newBackgroundContext()
      context.perform {
        let note = Note(context: context)
        SimulatedDispatchQueue.main.sync { note.title = "a" }
      }
      SimulatedMainLoop.run(milliseconds: 1)
    }
    #expect(outcome.violations.map(\.kind.name) == ["wrong-queue access"])
    #expect(outcome.stop == nil)
  }

  /// The main queue waits for a block that needs the main queue.
  @Test func `queues that wait for each other deadlock`() {
    let outcome = live {
      let queue = SimulatedDispatchQueue(label: "work")
      queue.async { SimulatedDispatchQueue.main.sync {} }
      queue.sync {}
    }
    #expect(outcome.stop == .deadlock)
    #expect(outcome.violations.map(\.invariant) == [.WaitForGraphIsAcyclic])
    let detail = outcome.violations.first?.detail ?? ""
    #expect(detail.contains("the main thread owns the main queue and waits for work"))
    #expect(detail.contains("a block of work owns work and waits for the main queue"))
  }

  @Test func `delayed blocks run in the order of virtual time`() {
    live {
      var order: [Int] = []
      let queue = SimulatedDispatchQueue(label: "work")
      queue.asyncAfter(deadline: .now() + 3_600) { order.append(2) }
      queue.asyncAfter(deadline: .now() + .milliseconds(5)) { order.append(1) }
      SimulatedMainLoop.run(milliseconds: 3_600_001)
      #expect(order == [1, 2])
    }
  }

  @Test func `a run loop turned by a main-queue block runs no other main-queue block`() {
    let outcome = live {
      var events: [String] = []
      SimulatedDispatchQueue.main.async {
        SimulatedDispatchQueue.main.async { events.append("second") }
        SimulatedMainLoop.run(milliseconds: 5)
        events.append("first")
      }
      SimulatedMainLoop.run(milliseconds: 10)
      #expect(events == ["first", "second"])
    }
    #expect(outcome.stop == nil)
  }
}
