/// Takes the place of `OSAllocatedUnfairLock`: a lock with what it guards.
public struct SimulatedUnfairLock<State>: @unchecked Sendable {
  private final class Storage {
    let lock = SimulatedNSLock()
    var state: State
    init(_ state: State) { self.state = state }
  }

  private let storage: Storage

  /// A lock for a state that may be anything.
  public init(uncheckedState state: State) { storage = Storage(state) }

  /// Calls `body` with the state, while no other code has it.
  public func withLockUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    storage.lock.lock()
    defer { storage.lock.unlock() }
    return try body(&storage.state)
  }

  /// Likewise.
  public func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    try withLockUnchecked(body)
  }

  /// Likewise, unless other code has it now.
  public func withLockIfAvailable<Result>(
    _ body: (inout State) throws -> Result
  ) rethrows -> Result? {
    guard storage.lock.try() else { return nil }
    defer { storage.lock.unlock() }
    return try body(&storage.state)
  }
}

extension SimulatedUnfairLock where State: Sendable {
  /// A lock for a state.
  public init(initialState state: State) { storage = Storage(state) }
}

extension SimulatedUnfairLock where State == () {
  /// A lock that guards no state of its own.
  public init() { self.init(uncheckedState: ()) }

  /// Waits until no other code has it.
  public func lock() { storage.lock.lock() }

  /// Lets other code have it.
  public func unlock() { storage.lock.unlock() }

  /// Takes it unless other code has it; whether it did.
  public func lockIfAvailable() -> Bool { storage.lock.try() }

  /// Calls `body` while no other code has it.
  public func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    storage.lock.lock()
    defer { storage.lock.unlock() }
    return try body()
  }

  /// Likewise.
  public func withLockUnchecked<Result>(_ body: () throws -> Result) rethrows -> Result {
    try withLock(body)
  }
}
