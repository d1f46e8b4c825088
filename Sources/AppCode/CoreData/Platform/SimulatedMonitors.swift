import Foundation
import LiveCode

/// The locks of `objc_sync_enter`, one for each object that code has entered.
final class SimulatedMonitors {
  private final class Monitor {
    let object: AnyObject
    let lock = SimulatedNSRecursiveLock()
    /// The number of calls that hold the lock or wait for it.
    var count = 0

    init(_ object: AnyObject) { self.object = object }
  }

  private var monitors: [ObjectIdentifier: Monitor] = [:]

  func enter(_ object: AnyObject) {
    let monitor = monitors[ObjectIdentifier(object)] ?? Monitor(object)
    monitors[ObjectIdentifier(object)] = monitor
    monitor.count += 1
    monitor.lock.lock()
  }

  func exit(_ object: AnyObject) {
    guard let monitor = monitors[ObjectIdentifier(object)] else {
      misuse("objc_sync_exit is called for an object that no code has entered")
    }
    monitor.count -= 1
    if monitor.count == 0 { monitors[ObjectIdentifier(object)] = nil }
    monitor.lock.unlock()
  }
}

/// Enters the critical section of an object, and waits while other code is in it. The code that is
/// in the section may enter it again.
@discardableResult
public func objc_sync_enter(_ object: Any) -> Int32 {
  RunState.ifRunning?.monitors.enter(object as AnyObject)
  return 0
}

/// Leaves the critical section of an object.
@discardableResult
public func objc_sync_exit(_ object: Any) -> Int32 {
  RunState.ifRunning?.monitors.exit(object as AnyObject)
  return 0
}
