public import Foundation
import LiveCode

/// A piece of work that others can wait for: takes the place of `Operation`. An operation that says
/// itself when it has finished, by key-value observing, is not simulated: its work ends with
/// `main`.
open class SimulatedOperation: NSObject, @unchecked Sendable {
  /// A name for reports.
  open var name: String?
  /// Of no effect.
  open var qualityOfService = QualityOfService.default
  /// Of no effect: any operation may be the slowest.
  open var queuePriority = Operation.QueuePriority.normal
  /// Called when it has finished.
  open var completionBlock: (() -> Void)?
  /// What has to finish before it begins.
  open private(set) var dependencies: [SimulatedOperation] = []
  /// Whether it runs.
  open private(set) var isExecuting = false
  /// Whether it has run, or was cancelled before it began.
  open private(set) var isFinished = false
  /// Whether it was cancelled; its code may ask.
  open private(set) var isCancelled = false
  /// Whether it says itself when it has finished.
  open var isAsynchronous: Bool { false }
  /// Whether nothing keeps it from beginning.
  open var isReady: Bool { dependencies.allSatisfy(\.isFinished) }

  private let end = SimulatedDispatchGroup()
  private var hasEntered = false
  fileprivate var followers: [() -> Void] = []
  /// Has its queue look which operations can begin; nil before it has one.
  fileprivate var beginQueue: (() -> Void)?

  /// What it does.
  open func main() {}

  /// Runs it here.
  open func start() {
    guard !isAsynchronous else { misuse("an asynchronous operation is not simulated") }
    if !isCancelled {
      isExecuting = true
      main()
      isExecuting = false
    }
    isFinished = true
    if hasEntered { end.leave() }
    completionBlock?()
    let followers = followers
    self.followers = []
    for follower in followers { follower() }
  }

  /// Has it do nothing, unless it has begun.
  open func cancel() {
    isCancelled = true
    beginQueue?()
  }

  /// Has it begin after another has finished.
  open func addDependency(_ operation: SimulatedOperation) {
    dependencies.append(operation)
    operation.followers.append { [weak self] in self?.beginQueue?() }
  }

  /// Ends that.
  open func removeDependency(_ operation: SimulatedOperation) {
    dependencies.removeAll { $0 === operation }
  }

  /// Waits until it has finished.
  open func waitUntilFinished() {
    guard !isFinished else { return }
    if !hasEntered {
      hasEntered = true
      end.enter()
    }
    end.wait()
  }
}

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
  open func addOperation(_ block: @escaping () -> Void) {
    let block = SimulatedSendable(block)
    addOperation(SimulatedBlockOperation { block.value() })
  }

  /// Adds an operation.
  open func addOperation(_ operation: SimulatedOperation) {
    operation.beginQueue = { [weak self] in self?.begin() }
    if let barrier = perRun.current.barrier, !barrier.isFinished {
      operation.addDependency(barrier)
    }
    perRun.current.waiting.append(operation)
    begin()
  }

  /// Adds operations.
  open func addOperations(_ operations: [SimulatedOperation], waitUntilFinished wait: Bool) {
    for operation in operations { addOperation(operation) }
    if wait { for operation in operations { operation.waitUntilFinished() } }
  }

  /// Adds a block that begins when all before it have finished, and before all after it.
  open func addBarrierBlock(_ block: @escaping () -> Void) {
    let block = SimulatedSendable(block)
    let barrier = SimulatedBlockOperation { block.value() }
    for operation in operations { barrier.addDependency(operation) }
    addOperation(barrier)
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
      (underlyingQueue ?? .global()).async(file: name ?? "operation", line: 0) { [self] in
        operation.start()
        state.running.removeAll { $0 === operation }
        begin()
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
