import CoreData
import Foundation
import LiveCode
import Testing

/// An app-defined operation.
private final class Import: SimulatedOperation, @unchecked Sendable {
  private let log: EventLog
  private let title: String

  init(_ title: String, _ log: EventLog) {
    (self.title, self.log) = (title, log)
    super.init()
  }

  override func main() {
    guard !isCancelled else { return }
    #expect(isExecuting && !isFinished)
    log.overlap {
      SimulatedThread.sleep(forTimeInterval: 0.001)
      log.note(title)
    }
  }
}

/// An operation that continues after `start`, in the form that apps use on Apple's platforms.
private final class Download: SimulatedOperation, @unchecked Sendable {
  private let log: EventLog
  private let title: String
  private var isDone = false

  init(_ title: String, _ log: EventLog) {
    (self.title, self.log) = (title, log)
    super.init()
  }

  override var isAsynchronous: Bool { true }
  override var isFinished: Bool { isDone }

  override func start() {
    SimulatedDispatchQueue.global().asyncAfter(deadline: .now() + 0.01) { [self] in
      log.note(title)
      willChangeValue(forKey: "isFinished")
      isDone = true
      didChangeValue(forKey: "isFinished")
    }
  }
}

/// An operation whose state a queue protects, so that each read of it may wait.
private final class Guarded: SimulatedOperation, @unchecked Sendable {
  private let queue = SimulatedDispatchQueue(label: "state")
  private var isDone = false

  override var isAsynchronous: Bool { true }
  override var isFinished: Bool { queue.sync { isDone } }

  override func start() {
    SimulatedDispatchQueue.global().async { [self] in
      willChangeValue(forKey: "isFinished")
      queue.sync { isDone = true }
      didChangeValue(forKey: "isFinished")
    }
  }
}

@Suite struct `An operation queue` {
  @Test func `other jobs may change the queue while it reads an operation's state`() {
    let threads = ThreadPool()
    defer { threads.drain() }
    for seed in 1...60 as ClosedRange<UInt64> {
      let log = EventLog()
      let outcome = live(seed: seed, threads: threads) {
        let queue = SimulatedOperationQueue()
        let operations = (1...5).map { _ in Guarded() }
        for (first, second) in zip(operations, operations.dropFirst()) {
          second.addDependency(first)
        }
        let end = SimulatedBlockOperation { log.note("end") }
        end.addDependency(operations[4])
        queue.addOperations(operations + [end], waitUntilFinished: true)
      }
      #expect(outcome.stop == nil && outcome.disagreement == nil, "seed \(seed)")
      #expect(log.events == ["end"], "seed \(seed)")
    }
  }

  @Test func `a queue waits for an operation that reports its own end`() {
    let log = EventLog()
    live {
      let queue = SimulatedOperationQueue()
      queue.maxConcurrentOperationCount = 1
      let (first, last) = (Download("first", log), SimulatedBlockOperation { log.note("last") })
      first.completionBlock = { log.note("completion") }
      last.addDependency(first)
      queue.addOperations([last, first], waitUntilFinished: true)
      #expect(queue.operationCount == 0)
    }
    #expect(log.events == ["first", "completion", "last"])
  }

  /// Returns the orders in which six operations end, one for each of several seeds.
  private func orders(limit: Int, _ log: EventLog) -> [[String]] {
    let threads = ThreadPool()
    defer { threads.drain() }
    return (1...25 as ClosedRange<UInt64>).map { seed in
      log.events = []
      let outcome = live(seed: seed, threads: threads) {
        let queue = SimulatedOperationQueue()
        queue.maxConcurrentOperationCount = limit
        for number in 1...6 { queue.addOperation(Import("\(number)", log)) }
        #expect(queue.operationCount > 0)
        queue.waitUntilAllOperationsAreFinished()
        #expect(log.events.count == 6, "seed \(seed)")
        #expect(queue.operations.isEmpty, "seed \(seed)")
      }
      #expect(outcome.stop == nil && outcome.disagreement == nil, "seed \(seed)")
      return log.events
    }
  }

  @Test func `a serial queue keeps the order of its operations`() {
    let log = EventLog()
    let orders = orders(limit: 1, log)
    #expect(orders.allSatisfy { $0 == ["1", "2", "3", "4", "5", "6"] })
    #expect(log.mostRunning == 1)
  }

  @Test func `a queue runs as many operations at a time as its limit allows`() {
    let limited = EventLog()
    #expect(Set(orders(limit: 2, limited)).count > 2)
    #expect(limited.mostRunning == 2)
    let unlimited = EventLog()
    let limit = SimulatedOperationQueue.defaultMaxConcurrentOperationCount
    #expect(Set(orders(limit: limit, unlimited)).count > 2)
    #expect(unlimited.mostRunning > 3)
  }

  @Test func `an operation begins after its dependencies`() {
    let threads = ThreadPool()
    defer { threads.drain() }
    for seed in 1...25 as ClosedRange<UInt64> {
      let log = EventLog()
      let outcome = live(seed: seed, threads: threads) {
        let (first, second) = (SimulatedOperationQueue(), SimulatedOperationQueue())
        let operations = ["a", "b", "c", "d"].map { Import($0, log) }
        // Operation c depends on a and b, and d depends on c.
        operations[2].addDependency(operations[0])
        operations[2].addDependency(operations[1])
        operations[3].addDependency(operations[2])
        operations[3].addDependency(operations[0])
        operations[3].removeDependency(operations[0])
        #expect(operations[3].dependencies.map { $0 === operations[2] } == [true])
        #expect(!operations[2].isReady && operations[0].isReady)
        first.addOperations([operations[3], operations[2]], waitUntilFinished: false)
        second.addOperations([operations[1], operations[0]], waitUntilFinished: false)
        operations[3].waitUntilFinished()
        #expect(operations.allSatisfy { $0.isFinished })
      }
      #expect(log.events.suffix(2) == ["c", "d"], "seed \(seed)")
      #expect(outcome.stop == nil && outcome.disagreement == nil, "seed \(seed)")
    }
  }

  @Test func `a run stands still if operations depend on each other`() {
    let outcome = live {
      let log = EventLog()
      let (one, other) = (Import("one", log), Import("other", log))
      one.addDependency(other)
      other.addDependency(one)
      SimulatedOperationQueue().addOperations([one, other], waitUntilFinished: true)
    }
    #expect(outcome.stop == .standstill)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a queue does not run an operation that is cancelled before it begins`() {
    let log = EventLog()
    let outcome = live {
      let queue = SimulatedOperationQueue()
      queue.maxConcurrentOperationCount = 1
      let operations = ["a", "b", "c"].map { Import($0, log) }
      operations[1].completionBlock = { log.note("b has ended") }
      queue.addOperations(operations, waitUntilFinished: false)
      operations[1].cancel()
      #expect(operations[1].isCancelled && !operations[1].isFinished)
      queue.waitUntilAllOperationsAreFinished()
      #expect(operations.map(\.isFinished) == [true, true, true])
      #expect(operations.map(\.isCancelled) == [false, true, false])
    }
    #expect(log.events == ["a", "b has ended", "c"])
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a queue cancels all operations that have not finished`() {
    let log = EventLog()
    let outcome = live {
      let queue = SimulatedOperationQueue()
      queue.isSuspended = true
      let operations = ["a", "b", "c"].map { Import($0, log) }
      queue.addOperations(operations, waitUntilFinished: false)
      SimulatedMainLoop.run(milliseconds: 10)
      #expect(queue.operationCount == 3)
      queue.cancelAllOperations()
      queue.addOperation { log.note("d") }
      queue.isSuspended = false
      queue.waitUntilAllOperationsAreFinished()
      #expect(operations.allSatisfy { $0.isFinished && $0.isCancelled })
    }
    #expect(log.events == ["d"])
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a barrier block runs after all earlier operations`() {
    let threads = ThreadPool()
    defer { threads.drain() }
    for seed in 1...25 as ClosedRange<UInt64> {
      let log = EventLog()
      let outcome = live(seed: seed, threads: threads) {
        let queue = SimulatedOperationQueue()
        for number in 1...3 { queue.addOperation(Import("\(number)", log)) }
        queue.addBarrierBlock {
          #expect(log.running == 0)
          log.note("barrier")
        }
        queue.addOperation { log.note("after") }
        queue.waitUntilAllOperationsAreFinished()
      }
      #expect(
        log.events.count == 5 && log.events.suffix(2) == ["barrier", "after"], "seed \(seed)")
      #expect(outcome.stop == nil && outcome.disagreement == nil, "seed \(seed)")
    }
  }

  @Test func `an operation waits for a late dependency, unless it is cancelled`() {
    let log = EventLog()
    let outcome = live {
      let queue = SimulatedOperationQueue()
      queue.isSuspended = true
      let (first, second, never) = (Import("a", log), Import("b", log), Import("c", log))
      queue.addOperations([second, never], waitUntilFinished: false)
      second.addDependency(first)
      never.addDependency(SimulatedOperation())
      queue.addOperation(first)
      queue.isSuspended = false
      never.cancel()
      queue.waitUntilAllOperationsAreFinished()
    }
    #expect(log.events == ["a", "b"])
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a suspended operation queue begins nothing`() {
    let log = EventLog()
    let outcome = live {
      let queue = SimulatedOperationQueue()
      queue.isSuspended = true
      queue.addOperation { log.note("a") }
      SimulatedMainLoop.run(milliseconds: 10)
      #expect(log.events.isEmpty)
      queue.isSuspended = false
      queue.waitUntilAllOperationsAreFinished()
    }
    #expect(log.events == ["a"])
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a queue is the current queue of its operations`() {
    live {
      let queue = SimulatedOperationQueue()
      queue.name = "import"
      #expect(SimulatedOperationQueue.current === SimulatedOperationQueue.main)
      var names: [String?] = []
      queue.addOperation { names.append(SimulatedOperationQueue.current?.name) }
      queue.waitUntilAllOperationsAreFinished()
      #expect(names == ["import"])
    }
  }

  @Test func `the main operation queue runs its operations in order on the main thread`() {
    let log = EventLog()
    let outcome = live(seed: 2) {
      for number in 1...3 {
        SimulatedOperationQueue.main.addOperation {
          #expect(SimulatedThread.isMainThread)
          log.note("\(number)")
        }
      }
      SimulatedDispatchQueue.global().async {
        #expect(!SimulatedThread.isMainThread)
        let operation = SimulatedBlockOperation {
          #expect(SimulatedThread.isMainThread)
          log.note("from a queue")
        }
        SimulatedOperationQueue.main.addOperations([operation], waitUntilFinished: true)
        log.note("waited")
      }
      log.note("body")
      SimulatedMainLoop.run(milliseconds: 10)
    }
    #expect(log.events.filter { Int($0) != nil } == ["1", "2", "3"])
    #expect(log.events.first == "body")
    #expect(log.events.suffix(2) == ["from a queue", "waited"])
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `an operation runs its blocks, and then its completion block`() {
    let log = EventLog()
    let outcome = live {
      let operation = SimulatedBlockOperation { log.note("a") }
      operation.addExecutionBlock { log.note("b") }
      operation.completionBlock = { log.note("end") }
      let queue = SimulatedOperationQueue()
      queue.underlyingQueue = .main
      queue.addOperation(operation)
      SimulatedMainLoop.run(milliseconds: 1)
      #expect(operation.isFinished && !operation.isExecuting)
    }
    #expect(log.events == ["a", "b", "end"])
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }
}
