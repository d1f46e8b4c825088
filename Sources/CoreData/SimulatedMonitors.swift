import Foundation
import LiveCode

/// The locks that objects have for `objc_sync_enter`, while some code is in one.
final class SimulatedMonitors {
  private final class Monitor {
    let object: AnyObject
    let lock = SimulatedNSRecursiveLock()
    /// How many calls are in it, or wait for it.
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

/// Waits until no other code is between `objc_sync_enter` and `objc_sync_exit` of an object. The
/// code that is there may enter once more.
@discardableResult
public func objc_sync_enter(_ object: Any) -> Int32 {
  RunState.ifRunning?.monitors.enter(object as AnyObject)
  return 0
}

/// Ends what `objc_sync_enter` began.
@discardableResult
public func objc_sync_exit(_ object: Any) -> Int32 {
  RunState.ifRunning?.monitors.exit(object as AnyObject)
  return 0
}
