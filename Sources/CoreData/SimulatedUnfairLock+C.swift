/// Apple's unfair lock of C: takes the place of `os_unfair_lock_s`. Copies of it are one lock; code
/// that copies a lock is wrong on a Mac.
public struct os_unfair_lock_s: @unchecked Sendable {
  fileprivate let lock = SimulatedNSLock()

  /// A lock that is open.
  public init() {}
}

/// The name by which Swift code makes one.
public typealias os_unfair_lock = os_unfair_lock_s
/// The lock's address.
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock_s>

/// Waits until no other code has the lock. Code that has it itself waits for ever.
public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) { unsafe lock.pointee.lock.lock() }

/// Lets other code have the lock.
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) { unsafe lock.pointee.lock.unlock() }

/// Takes the lock unless other code has it. Returns true if it did.
public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool {
  unsafe lock.pointee.lock.try()
}
