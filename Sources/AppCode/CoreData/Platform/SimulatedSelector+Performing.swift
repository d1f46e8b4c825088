public import Foundation
import LiveCode

extension NSObject {
  /// Calls a method. Its result is lost, because selectors do not return results in the simulation.
  @discardableResult
  @_disfavoredOverload
  public func perform(_ selector: SimulatedSelector) -> Unmanaged<AnyObject>? {
    selector.call(self, nil)
    return nil
  }

  /// Calls a method with an object as argument.
  @discardableResult
  public func perform(_ selector: SimulatedSelector, with object: Any?) -> Unmanaged<AnyObject>? {
    selector.call(self, object)
    return nil
  }

  /// Calls a method on the main thread after a delay, in seconds of virtual time.
  public func perform(
    _ selector: SimulatedSelector, with object: Any?, afterDelay delay: TimeInterval
  ) {
    let call = SimulatedSendable { selector.call(self, object) }
    SimulatedDispatchQueue.main.asyncAfter(deadline: .now() + delay) { call.value() }
  }

  /// Calls a method on the main thread, and waits for its end if `wait` is true.
  public func performSelector(
    onMainThread selector: SimulatedSelector, with object: Any?, waitUntilDone wait: Bool
  ) {
    let call = SimulatedSendable { selector.call(self, object) }
    if !wait { return SimulatedDispatchQueue.main.async { call.value() } }
    if SimulatedThread.isMainThread { return call.value() }
    SimulatedDispatchQueue.main.sync { call.value() }
  }
}
