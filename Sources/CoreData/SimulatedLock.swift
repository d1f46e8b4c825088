public import Foundation
import LiveCode

/// One piece of code at a time: takes the place of `NSLock`. Outside of a run it does nothing: one
/// thread makes what a run uses.
public class SimulatedNSLock: NSObject, @unchecked Sendable {
  fileprivate final class State {
    /// The piece of code that has it, and how often.
    var owner: Int?
    var depth = 0
    var gates: [Gate] = []
  }

  fileprivate let perRun = PerRun { State() }
  fileprivate var isReentrant: Bool { false }
  /// A name for reports; of no effect.
  public var name: String?

  /// A lock that is open.
  public override init() {}

  /// Waits until it is open, and closes it. Code that has closed it itself waits for ever.
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
    let piece = run.running.number
    guard state.owner == nil || (isReentrant && state.owner == piece) else { return false }
    state.owner = piece
    state.depth += 1
    return true
  }

  /// Closes it if it is open; whether it was.
  public func `try`() -> Bool {
    guard let run = RunState.ifRunning?.run else { return true }
    return takes(run)
  }

  /// Waits until a date of virtual time; whether it was open by then.
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

  /// Opens it. The first of those that wait tries again.
  public func unlock() {
    guard RunState.ifRunning != nil else { return }
    let state = perRun.current
    guard state.depth > 0 else { misuse("a lock is unlocked that is not locked") }
    state.depth -= 1
    guard state.depth == 0 else { return }
    state.owner = nil
    if !state.gates.isEmpty { state.gates.removeFirst().open() }
  }

  /// Runs `body` while it is closed.
  public func withLock<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock()
    defer { unlock() }
    return try body()
  }
}

/// As `SimulatedNSLock`; the code that has it may close it again. Takes the place of
/// `NSRecursiveLock`.
public final class SimulatedNSRecursiveLock: SimulatedNSLock, @unchecked Sendable {
  fileprivate override var isReentrant: Bool { true }
}
