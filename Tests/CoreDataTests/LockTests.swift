import CoreData
import Failures
import Foundation
import Invariants
import LiveCode
import Testing

@Suite struct `A lock of the app` {
  /// Returns the final counts after two blocks each increment a count by reading and writing it.
  private func counts(_ change: @escaping (() -> Void) -> Void) -> Set<Int> {
    let threads = ThreadPool()
    defer { threads.drain() }
    var counts: Set<Int> = []
    for seed in 1...30 as ClosedRange<UInt64> {
      var count = 0
      let outcome = live(seed: seed, threads: threads) {
        for _ in 0..<2 {
          SimulatedDispatchQueue.global().async {
            change {
              let read = count
              SimulatedThread.sleep(forTimeInterval: 0.001)
              count = read + 1
            }
          }
        }
      }
      #expect(outcome.stop == nil && outcome.disagreement == nil, "seed \(seed)")
      counts.insert(count)
    }
    return counts
  }

  @Test func `a lock excludes other code`() {
    #expect(counts { $0() }.contains(1))
    let lock = SimulatedNSLock()
    #expect(
      counts {
        lock.lock()
        $0()
        lock.unlock()
      } == [2])
    let recursive = SimulatedNSRecursiveLock()
    #expect(counts { body in recursive.withLock { body() } } == [2])
    let object = NSObject()
    #expect(
      counts {
        objc_sync_enter(object)
        objc_sync_enter(object)
        objc_sync_exit(object)
        $0()
        objc_sync_exit(object)
      } == [2])
  }

  @Test func `a recursive lock admits its owner again`() {
    var isFree: [Bool] = []
    let outcome = live {
      let lock = SimulatedNSRecursiveLock()
      func askOther() {
        let group = SimulatedDispatchGroup()
        SimulatedDispatchQueue.global().async(group: group) {
          isFree.append(lock.try())
          if isFree.last == true { lock.unlock() }
        }
        group.wait()
      }
      lock.lock()
      lock.lock()
      #expect(lock.try())
      lock.unlock()
      askOther()
      lock.unlock()
      askOther()
      lock.unlock()
      askOther()
    }
    #expect(isFree == [false, false, true])
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a lock that its owner acquires again stops the run`() {
    var isReached = false
    let outcome = live {
      let lock = SimulatedNSLock()
      lock.lock()
      #expect(!lock.try())
      lock.lock()
      isReached = true
    }
    #expect(!isReached)
    #expect(outcome.stop == .standstill)
    #expect(outcome.disagreement == nil)
  }

  @Test func `two locks that are acquired in either order stop some runs`() {
    let threads = ThreadPool()
    defer { threads.drain() }
    let stops = (1...40 as ClosedRange<UInt64>).map { seed in
      let outcome = live(seed: seed, threads: threads) {
        let (one, other) = (SimulatedNSLock(), SimulatedNSLock())
        SimulatedDispatchQueue.global().async { one.withLock { other.withLock {} } }
        SimulatedDispatchQueue.global().async { other.withLock { one.withLock {} } }
      }
      #expect(outcome.disagreement == nil, "seed \(seed)")
      return outcome.stop
    }
    #expect(Set(stops) == [nil, .standstill])
  }

  @Test func `an attempt to lock ends at a date of virtual time`() {
    var results: [Bool] = []
    let outcome = live {
      let lock = SimulatedNSLock()
      SimulatedDispatchQueue.global().async {
        lock.lock()
        SimulatedThread.sleep(forTimeInterval: 0.1)
        lock.unlock()
      }
      SimulatedMainLoop.run(milliseconds: 1)
      let start = SimulatedValues.date
      for milliseconds in [0.0, 50, 500] {
        results.append(lock.lock(before: start.addingTimeInterval(milliseconds / 1_000)))
      }
      #expect(abs(SimulatedValues.date.timeIntervalSince(start) - 0.099) < 0.001_5)
    }
    #expect(results == [false, false, true])
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a lock is granted in the order of requests`() {
    var order: [Int] = []
    let outcome = live {
      let lock = SimulatedNSLock()
      lock.lock()
      for number in 1...3 {
        SimulatedDispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(number)) {
          lock.withLock { order.append(number) }
        }
      }
      SimulatedMainLoop.run(milliseconds: 10)
      #expect(order.isEmpty)
      lock.unlock()
      SimulatedMainLoop.run(milliseconds: 10)
    }
    #expect(order == [1, 2, 3])
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }
}
