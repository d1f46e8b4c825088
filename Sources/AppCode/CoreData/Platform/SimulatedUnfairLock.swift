/// A lock with the state that it guards. Replaces `OSAllocatedUnfairLock`.
public struct SimulatedUnfairLock<State>: @unchecked Sendable {
  private final class Storage {
    let lock = SimulatedNSLock()
    var state: State
    init(_ state: State) { self.state = state }
  }

  private let storage: Storage

  /// Creates a lock with a state of any type.
  public init(uncheckedState state: State) { storage = Storage(state) }

  /// Calls `body` with the state while holding the lock.
  public func withLockUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    storage.lock.lock()
    defer { storage.lock.unlock() }
    return try body(&storage.state)
  }

  /// Calls `body` with the state while holding the lock.
  public func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    try withLockUnchecked(body)
  }

  /// Calls `body` with the state if the lock is free. Returns nil otherwise.
  public func withLockIfAvailable<Result>(
    _ body: (inout State) throws -> Result
  ) rethrows -> Result? {
    guard storage.lock.try() else { return nil }
    defer { storage.lock.unlock() }
    return try body(&storage.state)
  }
}

extension SimulatedUnfairLock where State: Sendable {
  /// Creates a lock with a `Sendable` state.
  public init(initialState state: State) { storage = Storage(state) }
}

extension SimulatedUnfairLock where State == () {
  /// Creates a lock without state.
  public init() { self.init(uncheckedState: ()) }

  /// Waits until the lock is free and acquires it.
  public func lock() { storage.lock.lock() }

  /// Releases the lock.
  public func unlock() { storage.lock.unlock() }

  /// Acquires the lock if it is free. Returns whether it was acquired.
  public func lockIfAvailable() -> Bool { storage.lock.try() }

  /// Calls `body` while holding the lock.
  public func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    storage.lock.lock()
    defer { storage.lock.unlock() }
    return try body()
  }

  /// Calls `body` while holding the lock.
  public func withLockUnchecked<Result>(_ body: () throws -> Result) rethrows -> Result {
    try withLock(body)
  }
}
