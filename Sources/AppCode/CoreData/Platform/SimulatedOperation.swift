public import Foundation
import LiveCode

/// A unit of work that code can wait for. Replaces `Operation`.
///
/// An operation whose work continues after `start` reports its end as on Apple's platforms. It
/// overrides `isFinished` and calls `didChangeValue(forKey: "isFinished")`.
open class SimulatedOperation: NSObject, @unchecked Sendable {
  /// The operation's name, which has no effect.
  open var name: String?
  /// The quality of service, which has no effect.
  open var qualityOfService = QualityOfService.default
  /// The priority in a queue, which has no effect, because any operation may be the slowest.
  open var queuePriority = Operation.QueuePriority.normal
  /// The block to call when the operation has finished.
  open var completionBlock: (() -> Void)?
  /// The operations that must finish before this one begins.
  open private(set) var dependencies: [SimulatedOperation] = []
  /// A Boolean value that indicates whether the operation is running.
  open var isExecuting: Bool { isInMain }
  /// A Boolean value that indicates whether the operation has run, or was cancelled before it
  /// began.
  open var isFinished: Bool { hasRun }
  /// A Boolean value that indicates whether the operation was cancelled, which the operation's code
  /// may check.
  open var isCancelled: Bool { wasCancelled }
  /// A Boolean value that indicates whether the operation reports its end itself.
  open var isAsynchronous: Bool { false }
  /// The older name of `isAsynchronous`.
  open var isConcurrent: Bool { isAsynchronous }
  /// A Boolean value that indicates whether all dependencies have finished.
  open var isReady: Bool { dependencies.allSatisfy(\.isFinished) }

  private var (isInMain, hasRun, wasCancelled) = (false, false, false)
  private let end = SimulatedDispatchGroup()
  private var hasEntered = false
  private var isOver = false
  fileprivate var followers: [() -> Void] = []
  /// Makes the queue begin operations that are ready. The value is nil until a queue has the
  /// operation.
  var beginQueue: (() -> Void)?
  /// The source location at which the operation was added to a queue.
  var origin = (file: "operation", line: 0)

  /// Performs the operation's work.
  open func main() {}

  /// Runs the operation on the calling code's thread.
  open func start() {
    if !isCancelled {
      isInMain = true
      main()
      isInMain = false
    }
    hasRun = true
    endIfFinished()
  }

  /// Resumes code that waits for the operation, if it has finished. Does so once.
  func endIfFinished() {
    guard isFinished, !isOver else { return }
    isOver = true
    if hasEntered { end.leave() }
    completionBlock?()
    let followers = followers
    self.followers = []
    for follower in followers { follower() }
  }

  /// Adds a block to call when the operation has finished.
  func follow(_ follower: @escaping () -> Void) { followers.append(follower) }

  /// Has no effect, because earlier values are not needed.
  open func willChangeValue(forKey key: String) {}

  /// Reports that a value has changed. If the operation has finished, waiting code continues. If it
  /// has become ready, its queue begins it.
  open func didChangeValue(forKey key: String) {
    endIfFinished()
    beginQueue?()
  }

  /// Cancels the operation, unless it has begun.
  open func cancel() {
    wasCancelled = true
    beginQueue?()
  }

  /// Makes this operation wait for another one.
  open func addDependency(_ operation: SimulatedOperation) {
    dependencies.append(operation)
    operation.followers.append { [weak self] in self?.beginQueue?() }
  }

  /// Removes a dependency.
  open func removeDependency(_ operation: SimulatedOperation) {
    dependencies.removeAll { $0 === operation }
  }

  /// Waits until the operation has finished.
  open func waitUntilFinished() {
    guard !isFinished else { return }
    if !hasEntered {
      hasEntered = true
      end.enter()
    }
    end.wait()
  }
}

/// The methods of Foundation's key-value observing that take key paths.
public protocol SimulatedKeyValueObserving {}

extension SimulatedOperation: SimulatedKeyValueObserving {}

extension SimulatedKeyValueObserving where Self: SimulatedOperation {
  /// Has no effect, because earlier values are not needed.
  public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {}

  /// Reports that a value has changed.
  public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    didChangeValue(forKey: "")
  }
}
