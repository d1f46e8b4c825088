public import Foundation
import LiveCode
import SimulatedDispatch

/// A counting semaphore. Replaces `DispatchSemaphore`.
public final class SimulatedDispatchSemaphore: @unchecked Sendable {
  private final class State {
    var count: Int
    let line = WaitingLine()
    init(_ count: Int) { self.count = count }
  }

  private let perRun: PerRun<State>

  /// Creates a semaphore with a count.
  public init(value: Int) {
    precondition(value >= 0, "a semaphore is created with a value below 0")
    perRun = PerRun { State(value) }
  }

  /// Waits until the count is above 0 and decrements it. A wait that never ends is reported.
  public func wait() { _ = wait(forMilliseconds: nil) }

  /// Waits until the count is above 0 and decrements it, or until a point in virtual time.
  @discardableResult
  public func wait(timeout: SimulatedDispatchTime) -> DispatchTimeoutResult {
    wait(forMilliseconds: timeout.millisecondsFromNow) ? .success : .timedOut
  }

  private func wait(forMilliseconds limit: Int?) -> Bool {
    let state = perRun.current
    return state.line.wait(forMilliseconds: limit) {
      guard state.count > 0 else { return false }
      state.count -= 1
      return true
    }
  }

  /// Resumes the first waiting code and returns 1. If no code waits, increments the count and
  /// returns 0.
  @discardableResult
  public func signal() -> Int {
    let state = perRun.current
    guard !state.line.isEmpty else {
      state.count += 1
      return 0
    }
    state.line.openFirst()
    return 1
  }
}

/// A group of work items that code can wait for. Replaces `DispatchGroup`.
public final class SimulatedDispatchGroup: @unchecked Sendable {
  private final class State {
    var count = 0
    let line = WaitingLine()
    var blocks: [() -> Void] = []
  }

  private let perRun = PerRun { State() }

  /// Creates a group without work.
  public init() {}

  /// Records the beginning of a work item.
  public func enter() { perRun.current.count += 1 }

  /// Records the end of a work item.
  public func leave() {
    let state = perRun.current
    guard state.count > 0 else { misuse("a group is left more often than it was entered") }
    state.count -= 1
    guard state.count == 0 else { return }
    let blocks = state.blocks
    state.blocks = []
    state.line.openAll()
    for block in blocks { block() }
  }

  /// Waits until all work has ended.
  public func wait() { _ = wait(forMilliseconds: nil) }

  /// Waits until all work has ended, or until a point in virtual time.
  @discardableResult
  public func wait(timeout: SimulatedDispatchTime) -> DispatchTimeoutResult {
    wait(forMilliseconds: timeout.millisecondsFromNow) ? .success : .timedOut
  }

  private func wait(forMilliseconds limit: Int?) -> Bool {
    let state = perRun.current
    return state.line.wait(forMilliseconds: limit) { state.count == 0 }
  }

  /// Enqueues a block when all work has ended.
  public func notify(
    qos: DispatchQoS = .unspecified, queue: SimulatedDispatchQueue, file: String = #fileID,
    line: Int = #line, execute work: @escaping () -> Void
  ) {
    let state = perRun.current
    let enqueue = { queue.async(file: file, line: line, execute: work) }
    if state.count == 0 { enqueue() } else { state.blocks.append(enqueue) }
  }

  /// Enqueues a work item when all work has ended.
  public func notify(
    queue: SimulatedDispatchQueue, file: String = #fileID, line: Int = #line,
    work: SimulatedDispatchWorkItem
  ) {
    notify(queue: queue, file: file, line: line) { work.perform() }
  }
}
