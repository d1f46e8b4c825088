public import Foundation
import LiveCode

/// A piece of work that others can wait for: takes the place of `Operation`.
///
/// An operation whose work goes on after `start` says when it has finished as on Apple's platforms:
/// it overrides `isFinished`, and calls `didChangeValue(forKey: "isFinished")`.
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
  open var isExecuting: Bool { isInMain }
  /// Whether it has run, or was cancelled before it began.
  open var isFinished: Bool { hasRun }
  /// Whether it was cancelled; its code may ask.
  open var isCancelled: Bool { wasCancelled }
  /// Whether it says itself when it has finished.
  open var isAsynchronous: Bool { false }
  /// The same, by an older name.
  open var isConcurrent: Bool { isAsynchronous }
  /// Whether nothing keeps it from beginning.
  open var isReady: Bool { dependencies.allSatisfy(\.isFinished) }

  private var (isInMain, hasRun, wasCancelled) = (false, false, false)
  private let end = SimulatedDispatchGroup()
  private var hasEntered = false
  private var isOver = false
  fileprivate var followers: [() -> Void] = []
  /// Has its queue look which operations can begin; nil before it has one.
  var beginQueue: (() -> Void)?
  /// Where it was added to a queue.
  var origin = (file: "operation", line: 0)

  /// What it does.
  open func main() {}

  /// Runs it here.
  open func start() {
    if !isCancelled {
      isInMain = true
      main()
      isInMain = false
    }
    hasRun = true
    endIfFinished()
  }

  /// Tells those that wait for it, once.
  func endIfFinished() {
    guard isFinished, !isOver else { return }
    isOver = true
    if hasEntered { end.leave() }
    completionBlock?()
    let followers = followers
    self.followers = []
    for follower in followers { follower() }
  }

  /// Has something called when it has finished.
  func follow(_ follower: @escaping () -> Void) { followers.append(follower) }

  /// Of no effect: what a value was is not asked.
  open func willChangeValue(forKey key: String) {}

  /// Says that a value has changed: if it has finished, those that wait for it go on; if it has
  /// become ready, it begins.
  open func didChangeValue(forKey key: String) {
    endIfFinished()
    beginQueue?()
  }

  /// Has it do nothing, unless it has begun.
  open func cancel() {
    wasCancelled = true
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

/// What Foundation's key-value observing has for key paths.
public protocol SimulatedKeyValueObserving {}

extension SimulatedOperation: SimulatedKeyValueObserving {}

extension SimulatedKeyValueObserving where Self: SimulatedOperation {
  /// Of no effect.
  public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {}

  /// Says that a value has changed.
  public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    didChangeValue(forKey: "")
  }
}
