public import Foundation
import LiveCode
import SimulatedCoreData

/// Calls observers on the posting thread, in the order in which they were added.
///
/// Foundation leaves the order unspecified. This type replaces its center in a module that declares
/// `typealias NotificationCenter = SimulatedNotificationCenter`. Each run has separate observers.
public final class SimulatedNotificationCenter: @unchecked Sendable {
  /// The notification center of the run to which the calling code belongs.
  public static var `default`: SimulatedNotificationCenter {
    RunState.current.notificationCenter
  }

  /// The result of `addObserver`.
  private final class Token: NSObject {}

  private struct Observer {
    let number: Int
    /// The result of `addObserver`, or nil if the observer is a method of an object.
    let token: AnyObject?
    weak var target: AnyObject?
    let name: Notification.Name?
    weak var object: AnyObject?
    /// A Boolean value that indicates whether the observer accepts all senders.
    let takesAll: Bool
    let queue: SimulatedOperationQueue?
    let block: (Notification) -> Void

    func takes(_ name: Notification.Name, from object: AnyObject?) -> Bool {
      (self.name == nil || self.name == name) && (takesAll || self.object === object)
    }
  }

  private var observers: [Observer] = []
  private var count = 0

  /// Creates a separate center without observers.
  public init() {}

  private func number() -> Int {
    count += 1
    return count
  }

  /// Registers a method of `observer` for notifications that `object` posts, or any object if it is
  /// nil. The center does not keep the observer alive.
  public func addObserver(
    _ observer: Any, selector: SimulatedSelector, name: Notification.Name?, object: Any?
  ) {
    let target = observer as AnyObject
    observers.append(
      Observer(
        number: number(), token: nil, target: target, name: name,
        object: object.map { $0 as AnyObject },
        takesAll: object == nil, queue: nil
      ) { [weak target] notification in
        if let target { selector.call(target, notification) }
      })
  }

  /// Registers a block for notifications that `object` posts, or any object if it is nil. The block
  /// runs on the posting thread. With an operation queue, it runs on that queue while the poster
  /// waits.
  @discardableResult
  public func addObserver(
    forName name: Notification.Name?, object: Any?, queue: SimulatedOperationQueue?,
    using block: @escaping (Notification) -> Void
  ) -> any NSObjectProtocol {
    let token = Token()
    observers.append(
      Observer(
        number: number(), token: token, target: nil, name: name,
        object: object.map { $0 as AnyObject }, takesAll: object == nil,
        queue: queue, block: block))
    return token
  }

  /// Removes all registrations of an observer.
  public func removeObserver(_ observer: Any) {
    removeObserver(observer, name: nil, object: nil)
  }

  /// Removes an observer's registrations for this name and this sender. A nil argument matches all
  /// names or all senders.
  public func removeObserver(_ observer: Any, name: Notification.Name?, object: Any?) {
    let (observer, object) = (observer as AnyObject, object.map { $0 as AnyObject })
    let last = observers
    observers = last.filter { known in
      let isMeant = known.token === observer || (known.target != nil && known.target === observer)
      return !isMeant || (name != nil && known.name != name)
        || (object != nil && known.object !== object)
    }
    withExtendedLifetime(last) {}
  }

  /// Posts a notification.
  public func post(name: Notification.Name, object: Any?, userInfo: [AnyHashable: Any]? = nil) {
    post(Notification(name: name, object: object, userInfo: userInfo))
  }

  /// Posts a notification. Observers added during the call are not called.
  public func post(_ notification: Notification) {
    let sender = notification.object.map { $0 as AnyObject }
    for observer in observers where observer.takes(notification.name, from: sender) {
      guard observers.contains(where: { $0.number == observer.number }) else { continue }
      call(observer, notification)
    }
  }

  /// Calls an observer. The poster waits for a block on an operation queue. On the main thread, a
  /// block for the main queue runs immediately.
  private func call(_ observer: Observer, _ notification: Notification) {
    guard let queue = observer.queue else { return observer.block(notification) }
    let run = RunState.current.run
    if queue === SimulatedOperationQueue.main {
      if run.isOnMainThread { return observer.block(notification) }
      return run.sync(on: run.withWorld { $0.mainQueue }, isReentrant: false) {
        observer.block(notification)
      }
    }
    let (block, notification) = (SimulatedSendable(observer.block), SimulatedSendable(notification))
    let operation = SimulatedBlockOperation { block.value(notification.value) }
    queue.addOperations([operation], waitUntilFinished: true)
  }

  func removeAllObservers() {
    // Keep the blocks until the end, because their release may remove further observers.
    let last = observers
    observers = []
    withExtendedLifetime(last) {}
  }

  func hasObservers(of name: Notification.Name, from object: AnyObject) -> Bool {
    observers.contains { $0.takes(name, from: object) }
  }
}
