public import Foundation
import LiveCode

/// An operation that runs blocks: takes the place of `BlockOperation`.
open class SimulatedBlockOperation: SimulatedOperation, @unchecked Sendable {
  /// The blocks.
  open private(set) var executionBlocks: [@Sendable () -> Void] = []

  /// An operation that runs `block`.
  public convenience init(block: @escaping @Sendable () -> Void) {
    self.init()
    executionBlocks = [block]
  }

  /// Adds a block.
  open func addExecutionBlock(_ block: @escaping @Sendable () -> Void) {
    executionBlocks.append(block)
  }

  /// Runs the blocks, one after the other.
  open override func main() { for block in executionBlocks { block() } }
}

/// Begins operations as they become ready: takes the place of `OperationQueue`.
open class SimulatedOperationQueue: NSObject, @unchecked Sendable {
  private final class State {
    var waiting: [SimulatedOperation] = []
    var running: [SimulatedOperation] = []
    /// The last one that was added.
    var barrier: SimulatedOperation?
  }

  /// No limit of operations that run beside each other.
  public static let defaultMaxConcurrentOperationCount = -1

  /// The queue of the main thread.
  public static let main = SimulatedOperationQueue(isMain: true)

  /// The queue of the operation that runs here; the main queue on the main thread. Nil elsewhere.
  public static var current: SimulatedOperationQueue? {
    guard let state = RunState.ifRunning else { return nil }
    return state.operationQueues[state.run.running.number]
      ?? (SimulatedThread.isMainThread ? main : nil)
  }

  /// A name for reports.
  open var name: String?
  /// How many operations run beside each other; negative for no limit.
  open var maxConcurrentOperationCount = SimulatedOperationQueue.defaultMaxConcurrentOperationCount
  /// Of no effect.
  open var qualityOfService = QualityOfService.default
  /// Where the operations run; nil for anywhere.
  open var underlyingQueue: SimulatedDispatchQueue?
  /// Whether no further operation begins.
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

  /// A queue that begins operations anywhere.
  public override init() { isMain = false }

  /// What has not finished.
  open var operations: [SimulatedOperation] {
    let state = perRun.current
    return state.running + state.waiting
  }

  /// How many have not finished.
  open var operationCount: Int { operations.count }

  /// Adds a block.
  open func addOperation(
    file: String = #fileID, line: Int = #line, _ block: @escaping () -> Void
  ) {
    let block = SimulatedSendable(block)
    addOperation(SimulatedBlockOperation { block.value() }, file: file, line: line)
  }

  /// Adds an operation.
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

  /// Adds operations.
  open func addOperations(
    _ operations: [SimulatedOperation], waitUntilFinished wait: Bool, file: String = #fileID,
    line: Int = #line
  ) {
    for operation in operations { addOperation(operation, file: file, line: line) }
    if wait { for operation in operations { operation.waitUntilFinished() } }
  }

  /// Adds a block that begins when all before it have finished, and before all after it.
  open func addBarrierBlock(
    file: String = #fileID, line: Int = #line, _ block: @escaping () -> Void
  ) {
    let block = SimulatedSendable(block)
    let barrier = SimulatedBlockOperation { block.value() }
    for operation in operations { barrier.addDependency(operation) }
    addOperation(barrier, file: file, line: line)
    perRun.current.barrier = barrier
  }

  /// Cancels what has not finished.
  open func cancelAllOperations() { for operation in operations { operation.cancel() } }

  /// Waits for all.
  open func waitUntilAllOperationsAreFinished() {
    for operation in operations { operation.waitUntilFinished() }
  }

  private func begin() {
    let state = perRun.current
    while !isSuspended,
      maxConcurrentOperationCount < 0 || state.running.count < maxConcurrentOperationCount,
      let index = state.waiting.firstIndex(where: { $0.isReady || $0.isCancelled })
    {
      let operation = state.waiting.remove(at: index)
      state.running.append(operation)
      // Weak: an operation that never finishes would keep itself, and the run.
      operation.follow { [weak self, weak operation, weak state] in
        state?.running.removeAll { $0 === operation }
        self?.begin()
      }
      let (file, line) = operation.origin
      (underlyingQueue ?? .global()).async(file: file, line: line) {
        let state = RunState.current
        let piece = state.run.running.number
        let outer = state.operationQueues.updateValue(self, forKey: piece)
        operation.start()
        state.operationQueues[piece] = outer
        // What overrides `start` may have finished without a word.
        operation.endIfFinished()
      }
    }
  }
}

/// Takes a value along where the compiler asks for a `Sendable` one: of all pieces of code, one
/// runs.
struct SimulatedSendable<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
