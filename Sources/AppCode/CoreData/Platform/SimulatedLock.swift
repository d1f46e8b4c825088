public import Foundation
import LiveCode

/// A mutual-exclusion lock. Replaces `NSLock`. Outside a run it does nothing, because a single
/// thread prepares the objects of a run.
public class SimulatedNSLock: NSObject, @unchecked Sendable {
  fileprivate final class State {
    /// The number of the job that holds the lock.
    var owner: Int?
    var depth = 0
    var gates: [Gate] = []
  }

  fileprivate let perRun = PerRun { State() }
  fileprivate var isReentrant: Bool { false }
  /// The lock's name, which has no effect.
  public var name: String?

  /// Creates an unlocked lock.
  public override init() {}

  /// Waits until the lock is free and acquires it. Code that already holds the lock waits forever.
  public func lock() {
    guard let run = RunState.ifRunning?.run else { return }
    if !run.isInHook { run.yield() }
    while !takes(run) {
      let gate = Gate(run)
      perRun.current.gates.append(gate)
      gate.pass(forMilliseconds: nil)
    }
  }

  private func takes(_ run: LiveRun) -> Bool {
    let state = perRun.current
    let job = run.running.number
    guard state.owner == nil || (isReentrant && state.owner == job) else { return false }
    state.owner = job
    state.depth += 1
    return true
  }

  /// Acquires the lock if it is free. Returns whether it was acquired.
  public func `try`() -> Bool {
    guard let run = RunState.ifRunning?.run else { return true }
    return takes(run)
  }

  /// Waits for the lock until a date in virtual time. Returns whether it was acquired.
  public func lock(before limit: Date) -> Bool {
    guard let run = RunState.ifRunning?.run else { return true }
    while !takes(run) {
      let seconds = limit.timeIntervalSince(SimulatedValues.date)
      guard seconds > 0 else { return false }
      let gate = Gate(run)
      let state = perRun.current
      state.gates.append(gate)
      gate.pass(forMilliseconds: max(1, Int((min(seconds, 1e9) * 1_000).rounded(.up)))) {
        state.gates.removeAll { $0 === gate }
      }
    }
    return true
  }

  /// Releases the lock. The first waiting code tries again.
  public func unlock() {
    guard RunState.ifRunning != nil else { return }
    let state = perRun.current
    guard state.depth > 0 else { misuse("a lock that is not locked is unlocked") }
    state.depth -= 1
    guard state.depth == 0 else { return }
    state.owner = nil
    if !state.gates.isEmpty { state.gates.removeFirst().open() }
  }

  /// Runs `body` while holding the lock.
  public func withLock<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock()
    defer { unlock() }
    return try body()
  }
}

/// A lock that the code that holds it may acquire again. Replaces `NSRecursiveLock`.
public final class SimulatedNSRecursiveLock: SimulatedNSLock, @unchecked Sendable {
  fileprivate override var isReentrant: Bool { true }
}
