/// The unfair lock of Apple's C interface. Replaces `os_unfair_lock_s`. Copies share one lock,
/// whereas copying a lock is an error on a Mac.
public struct os_unfair_lock_s: @unchecked Sendable {
  fileprivate let lock = SimulatedNSLock()

  /// Creates an unlocked lock.
  public init() {}
}

/// The name of the lock type in Swift code.
public typealias os_unfair_lock = os_unfair_lock_s
/// The address of a lock.
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock_s>

/// Waits until the lock is free and acquires it. Code that already holds the lock waits forever.
public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) { unsafe lock.pointee.lock.lock() }

/// Releases the lock.
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) { unsafe lock.pointee.lock.unlock() }

/// Acquires the lock if it is free. Returns whether it was acquired.
public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool {
  unsafe lock.pointee.lock.try()
}
