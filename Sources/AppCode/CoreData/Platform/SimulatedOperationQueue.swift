public import Foundation
import LiveCode

/// An operation that runs blocks. Replaces `BlockOperation`.
open class SimulatedBlockOperation: SimulatedOperation, @unchecked Sendable {
  /// The blocks to run, in order.
  open private(set) var executionBlocks: [@Sendable () -> Void] = []

  /// Creates an operation that runs `block`.
  public convenience init(block: @escaping @Sendable () -> Void) {
    self.init()
    executionBlocks = [block]
  }

  /// Adds a block to the operation.
  open func addExecutionBlock(_ block: @escaping @Sendable () -> Void) {
    executionBlocks.append(block)
  }

  /// Runs the blocks one after another.
  open override func main() { for block in executionBlocks { block() } }
}

/// A queue that begins operations when they become ready. Replaces `OperationQueue`.
open class SimulatedOperationQueue: NSObject, @unchecked Sendable {
  private final class State {
    var waiting: [SimulatedOperation] = []
    var running: [SimulatedOperation] = []
    /// The barrier that was added last.
    var barrier: SimulatedOperation?
  }

  /// The value for an unlimited number of concurrent operations.
  public static let defaultMaxConcurrentOperationCount = -1

  /// The queue of the main thread.
  public static let main = SimulatedOperationQueue(isMain: true)

  /// The queue of the running operation, or the main queue on the main thread. Nil elsewhere.
  public static var current: SimulatedOperationQueue? {
    guard let state = RunState.ifRunning else { return nil }
    return state.operationQueues[state.run.running.number]
      ?? (SimulatedThread.isMainThread ? main : nil)
  }

  /// The queue's name, which has no effect.
  open var name: String?
  /// The maximum number of concurrent operations. A negative value means no limit.
  open var maxConcurrentOperationCount = SimulatedOperationQueue.defaultMaxConcurrentOperationCount
  /// The quality of service, which has no effect.
  open var qualityOfService = QualityOfService.default
  /// The Dispatch queue that runs the operations, or nil for a concurrent global queue.
  open var underlyingQueue: SimulatedDispatchQueue?
  /// A Boolean value that indicates whether the queue begins no further operations.
  open var isSuspended = false {
    didSet { if !isSuspended { begin() } }
  }
  private let isMain: Bool
  private let perRun = PerRun { State() }

  private init(isMain: Bool) {
    self.isMain = isMain
    super.init()
    if isMain {
      maxConcurrentOperationCount = 1
      underlyingQueue = .main
    }
  }

  /// Creates a queue that runs operations on a concurrent global queue.
  public override init() { isMain = false }

  /// The operations that have not finished.
  open var operations: [SimulatedOperation] {
    let state = perRun.current
    return state.running + state.waiting
  }

  /// The number of operations that have not finished.
  open var operationCount: Int { operations.count }

  /// Adds a block to the queue.
  open func addOperation(
    file: String = #fileID, line: Int = #line, _ block: @escaping () -> Void
  ) {
    let block = SimulatedSendable(block)
    addOperation(SimulatedBlockOperation { block.value() }, file: file, line: line)
  }

  /// Adds an operation to the queue.
  open func addOperation(
    _ operation: SimulatedOperation, file: String = #fileID, line: Int = #line
  ) {
    operation.origin = (file, line)
    operation.beginQueue = { [weak self] in self?.begin() }
    if let barrier = perRun.current.barrier, !barrier.isFinished {
      operation.addDependency(barrier)
    }
    perRun.current.waiting.append(operation)
    begin()
  }

  /// Adds operations to the queue, and waits for their end if `wait` is true.
  open func addOperations(
    _ operations: [SimulatedOperation], waitUntilFinished wait: Bool, file: String = #fileID,
    line: Int = #line
  ) {
    for operation in operations { addOperation(operation, file: file, line: line) }
    if wait { for operation in operations { operation.waitUntilFinished() } }
  }

  /// Adds a block that begins when all earlier operations have finished, and before all later ones.
  open func addBarrierBlock(
    file: String = #fileID, line: Int = #line, _ block: @escaping () -> Void
  ) {
    let block = SimulatedSendable(block)
    let barrier = SimulatedBlockOperation { block.value() }
    for operation in operations { barrier.addDependency(operation) }
    addOperation(barrier, file: file, line: line)
    perRun.current.barrier = barrier
  }

  /// Cancels all operations that have not finished.
  open func cancelAllOperations() { for operation in operations { operation.cancel() } }

  /// Waits until all operations have finished.
  open func waitUntilAllOperationsAreFinished() {
    for operation in operations { operation.waitUntilFinished() }
  }

  /// Removes and returns the next operation that can begin.
  ///
  /// A property such as `isFinished` may be an app's own and wait for a queue. Meanwhile other jobs
  /// may begin operations of this queue.
  private func takeReady(_ state: State) -> SimulatedOperation? {
    for operation in state.waiting where operation.isReady || operation.isCancelled {
      let isFull =
        maxConcurrentOperationCount >= 0 && state.running.count >= maxConcurrentOperationCount
      if isSuspended || isFull { return nil }
      if let index = state.waiting.firstIndex(where: { $0 === operation }) {
        return state.waiting.remove(at: index)
      }
    }
    return nil
  }

  private func begin() {
    let state = perRun.current
    while let operation = takeReady(state) {
      state.running.append(operation)
      // Weak references, because an endless operation would keep itself and the run alive.
      operation.follow { [weak self, weak operation, weak state] in
        state?.running.removeAll { $0 === operation }
        self?.begin()
      }
      let (file, line) = operation.origin
      (underlyingQueue ?? .global()).async(file: file, line: line) {
        let state = RunState.current
        let job = state.run.running.number
        let outer = state.operationQueues.updateValue(self, forKey: job)
        operation.start()
        state.operationQueues[job] = outer
        // An override of `start` may finish without reporting it.
        operation.endIfFinished()
      }
    }
  }
}

/// Passes a value where the compiler requires `Sendable`. It is safe because only one job
/// runs at a time.
struct SimulatedSendable<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
