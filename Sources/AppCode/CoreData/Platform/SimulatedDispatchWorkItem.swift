public import Foundation
import LiveCode

/// A block that code can cancel and wait for. Replaces `DispatchWorkItem`.
public final class SimulatedDispatchWorkItem: @unchecked Sendable {
  private let block: () -> Void
  let flags: DispatchWorkItemFlags
  private let end = SimulatedDispatchGroup()
  private var hasEnded = false
  /// A Boolean value that indicates whether the item was cancelled. A cancelled item that has not
  /// begun does nothing.
  public private(set) var isCancelled = false

  /// Creates an item that runs `block`. Only the flag `.barrier` has an effect.
  public init(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    block: @escaping () -> Void
  ) {
    (self.block, self.flags) = (block, flags)
    end.enter()
  }

  /// Runs the block on the calling code's thread.
  public func perform() {
    if !isCancelled { block() }
    guard !hasEnded else { return }
    hasEnded = true
    end.leave()
  }

  /// Cancels the item, unless it has begun.
  public func cancel() { isCancelled = true }

  /// Waits until the item has run once.
  public func wait() { end.wait() }

  /// Enqueues a block when the item has run once.
  public func notify(
    queue: SimulatedDispatchQueue, file: String = #fileID, line: Int = #line,
    execute: @escaping () -> Void
  ) {
    end.notify(queue: queue, file: file, line: line, execute: execute)
  }
}
