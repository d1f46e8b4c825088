public import Foundation
import LiveCode

/// A block that can be cancelled and waited for: takes the place of `DispatchWorkItem`.
public final class SimulatedDispatchWorkItem: @unchecked Sendable {
  private let block: () -> Void
  let flags: DispatchWorkItemFlags
  private let end = SimulatedDispatchGroup()
  private var hasEnded = false
  /// Whether it was cancelled: what has not begun does nothing.
  public private(set) var isCancelled = false

  /// An item that runs `block`. Of the flags, `.barrier` has an effect.
  public init(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    block: @escaping () -> Void
  ) {
    (self.block, self.flags) = (block, flags)
    end.enter()
  }

  /// Runs the block here.
  public func perform() {
    if !isCancelled { block() }
    guard !hasEnded else { return }
    hasEnded = true
    end.leave()
  }

  /// Has it do nothing, unless it has begun.
  public func cancel() { isCancelled = true }

  /// Waits until it has run once.
  public func wait() { end.wait() }

  /// Enqueues a block once it has run.
  public func notify(
    queue: SimulatedDispatchQueue, file: String = #fileID, line: Int = #line,
    execute: @escaping () -> Void
  ) {
    end.notify(queue: queue, file: file, line: line, execute: execute)
  }
}
