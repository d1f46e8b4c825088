import CoreData
import Dispatch
import LiveCode
import Testing

/// The virtual time in milliseconds.
private var now: UInt64 { SimulatedDispatchTime.now().uptimeNanoseconds / 1_000_000 }

@Suite struct `Waiting with a time limit` {
  @Test func `a wait for a semaphore ends when the semaphore is signalled`() {
    var (result, time): (DispatchTimeoutResult?, UInt64) = (nil, 0)
    let outcome = live {
      let semaphore = SimulatedDispatchSemaphore(value: 0)
      SimulatedDispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(5)) {
        semaphore.signal()
      }
      result = semaphore.wait(timeout: .now() + .milliseconds(10))
      time = now
    }
    #expect(result == .success && time == 5)
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a wait for a semaphore ends at its time limit`() {
    var (result, time): (DispatchTimeoutResult?, UInt64) = (nil, 0)
    let outcome = live {
      let semaphore = SimulatedDispatchSemaphore(value: 0)
      result = semaphore.wait(timeout: .now() + .milliseconds(20))
      time = now
      #expect(semaphore.wait(timeout: .now()) == .timedOut)
      #expect(now == 20)
      // The signal remains for later waits, because the previous wait has timed out.
      #expect(semaphore.signal() == 0)
      #expect(semaphore.wait(timeout: .now()) == .success)
    }
    #expect(result == .timedOut && time == 20)
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a semaphore resumes waiting code in the order of arrival`() {
    var order: [Int] = []
    let outcome = live {
      let semaphore = SimulatedDispatchSemaphore(value: 1)
      semaphore.wait()
      for number in 1...3 {
        SimulatedDispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(number)) {
          semaphore.wait()
          order.append(number)
        }
      }
      SimulatedMainLoop.run(milliseconds: 10)
      #expect(order.isEmpty)
      for _ in 0..<2 {
        #expect(semaphore.signal() == 1)
        SimulatedMainLoop.run(milliseconds: 1)
      }
      #expect(order == [1, 2])
      semaphore.signal()
    }
    #expect(order == [1, 2, 3])
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a wait for a group ends when the group's work ends`() {
    var (result, time): (DispatchTimeoutResult?, UInt64) = (nil, 0)
    let outcome = live {
      let group = SimulatedDispatchGroup()
      for duration in [3, 7] {
        group.enter()
        SimulatedDispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(duration)) {
          group.leave()
        }
      }
      result = group.wait(timeout: .now() + .seconds(1))
      time = now
    }
    #expect(result == .success && time == 7)
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a wait for a group ends at its time limit, and the work continues`() {
    var (result, time, hasEnded): (DispatchTimeoutResult?, UInt64, Bool) = (nil, 0, false)
    let outcome = live {
      let group = SimulatedDispatchGroup()
      SimulatedDispatchQueue.global().async(group: group) {
        SimulatedThread.sleep(forTimeInterval: 0.5)
        hasEnded = true
      }
      result = group.wait(timeout: .now() + 0.03)
      time = now
      #expect(!hasEnded)
      #expect(group.wait(timeout: .distantFuture) == .success)
      #expect(hasEnded && now == 500)
    }
    #expect(result == .timedOut && time == 30)
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }
}

@Suite struct `A work item` {
  @Test func `a work item runs, ends waits and notifies`() {
    var ran: [String] = []
    let outcome = live {
      let queue = SimulatedDispatchQueue(label: "work")
      let item = SimulatedDispatchWorkItem { ran.append("item") }
      item.notify(queue: .main) {
        #expect(SimulatedThread.isMainThread)
        ran.append("notified")
      }
      queue.async(execute: item)
      item.wait()
      #expect(ran == ["item"])
      SimulatedMainLoop.run(milliseconds: 1)
      #expect(ran == ["item", "notified"])
      // The item has already ended, so the block is enqueued immediately.
      item.notify(queue: queue) { ran.append("again") }
      queue.sync(execute: item)
    }
    #expect(ran == ["item", "notified", "again", "item"])
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a cancelled work item does not run, but notifies`() {
    var ran: [String] = []
    let outcome = live {
      let queue = SimulatedDispatchQueue(label: "work")
      let item = SimulatedDispatchWorkItem { ran.append("item") }
      #expect(!item.isCancelled)
      item.notify(queue: queue) { ran.append("notified") }
      queue.asyncAfter(deadline: .now() + 1, execute: item)
      item.cancel()
      #expect(item.isCancelled)
      SimulatedMainLoop.run(milliseconds: 999)
      #expect(ran.isEmpty)
      item.wait()
      queue.sync {}
    }
    #expect(ran == ["notified"])
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a running work item finishes after a cancellation`() {
    var ran: [String] = []
    let outcome = live {
      let item = SimulatedDispatchWorkItem {
        SimulatedThread.sleep(forTimeInterval: 1)
        ran.append("item")
      }
      SimulatedDispatchQueue.global().async(execute: item)
      SimulatedMainLoop.run(milliseconds: 10)
      item.cancel()
      item.wait()
      ran.append("waited")
    }
    #expect(ran == ["item", "waited"])
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a work item can be part of a group`() {
    var ran: [Int] = []
    let outcome = live {
      let group = SimulatedDispatchGroup()
      for number in 1...3 {
        let item = SimulatedDispatchWorkItem { ran.append(number) }
        SimulatedDispatchQueue.global().async(group: group, execute: item)
      }
      let end = SimulatedDispatchWorkItem { ran.append(0) }
      group.notify(queue: .global(), work: end)
      end.wait()
    }
    #expect(ran == [1, 2, 3, 0])
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }
}

@Suite struct `A delayed block` {
  @Test func `delayed blocks begin at their times, in the order of calls for equal times`() {
    let threads = ThreadPool()
    defer { threads.drain() }
    for seed in [nil] + (1...10).map({ UInt64($0) }) {
      var begun: [String] = []
      let outcome = live(seed: seed, threads: threads) {
        let queue = SimulatedDispatchQueue(label: "work")
        let start = SimulatedDispatchTime.now()
        func enqueue(_ name: String, _ deadline: SimulatedDispatchTime) {
          queue.asyncAfter(deadline: deadline) { begun.append("\(name) \(now)") }
        }
        enqueue("seconds", start + .seconds(2))
        enqueue("milliseconds", start + .milliseconds(30))
        enqueue("nanoseconds", start + .nanoseconds(10_000_000))
        enqueue("microseconds", start + .microseconds(20_000))
        enqueue("fraction", start + 0.5)
        enqueue("second", start + .milliseconds(30))
        enqueue("never", start + .never)
        enqueue("distant", .distantFuture)
        SimulatedMainLoop.run(milliseconds: 10_000)
      }
      #expect(
        begun == [
          "nanoseconds 10", "microseconds 20", "milliseconds 30", "second 30", "fraction 500",
          "seconds 2000",
        ], "seed \(seed ?? 0)")
      #expect(outcome.stop == nil && outcome.disagreement == nil)
    }
  }

  @Test func `a delayed block waits for a delayed barrier of its queue`() {
    var begun: [String] = []
    let outcome = live {
      let queue = SimulatedDispatchQueue(label: "work", attributes: .concurrent)
      queue.asyncAfter(deadline: .now() + .milliseconds(20)) { begun.append("block \(now)") }
      queue.asyncAfter(deadline: .now() + .milliseconds(10), flags: .barrier) {
        begun.append("barrier \(now)")
        SimulatedThread.sleep(forTimeInterval: 0.05)
      }
      SimulatedMainLoop.run(milliseconds: 100)
    }
    #expect(begun == ["barrier 10", "block 60"])
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }
}
