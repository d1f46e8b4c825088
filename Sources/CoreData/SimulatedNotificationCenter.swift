public import Foundation
import LiveCode
import SimulatedCoreData

/// Calls observers in the order in which they were added, on the thread that posts.
///
/// Takes the place of Foundation's, whose order is open: a module that is compiled for a run says
/// `typealias NotificationCenter = SimulatedNotificationCenter`. Each run has observers of its own.
public final class SimulatedNotificationCenter: @unchecked Sendable {
  /// The center of the run that the calling code is a part of.
  public static var `default`: SimulatedNotificationCenter {
    RunState.current.notificationCenter
  }

  /// What `addObserver` answers.
  private final class Token: NSObject {}

  private struct Observer {
    let number: Int
    /// What `addObserver` has answered; nil for a method of an object.
    let token: AnyObject?
    weak var target: AnyObject?
    let name: Notification.Name?
    weak var object: AnyObject?
    /// Whether any sender will do.
    let takesAll: Bool
    let queue: SimulatedOperationQueue?
    let block: (Notification) -> Void

    func takes(_ name: Notification.Name, from object: AnyObject?) -> Bool {
      (self.name == nil || self.name == name) && (takesAll || self.object === object)
    }
  }

  private var observers: [Observer] = []
  private var count = 0

  /// A center of its own, without observers.
  public init() {}

  private func number() -> Int {
    count += 1
    return count
  }

  /// Has a method of `observer` called when `object`, or anything if it is nil, posts `name`. The
  /// center does not keep the observer alive.
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

  /// Has `block` called when `object`, or anything if it is nil, posts `name`: on the thread that
  /// posts or, with an operation queue, there, and the poster waits for it.
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

  /// Ends what `addObserver` began: all of it.
  public func removeObserver(_ observer: Any) {
    removeObserver(observer, name: nil, object: nil)
  }

  /// Ends what `addObserver` began for this name and this sender, or for all if they are nil.
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

  /// Posts a notification. Observers that are added meanwhile are not called.
  public func post(_ notification: Notification) {
    let sender = notification.object.map { $0 as AnyObject }
    for observer in observers where observer.takes(notification.name, from: sender) {
      guard observers.contains(where: { $0.number == observer.number }) else { continue }
      call(observer, notification)
    }
  }

  /// A block for an operation queue is waited for; on the main thread one for the main queue runs
  /// at once.
  private func call(_ observer: Observer, _ notification: Notification) {
    guard let queue = observer.queue else { return observer.block(notification) }
    let run = RunState.current.run
    if queue === SimulatedOperationQueue.main {
      if run.isOnMainThread { return observer.block(notification) }
      return run.sync(on: run.look { $0.mainQueue }, isReentrant: false) {
        observer.block(notification)
      }
    }
    let (block, notification) = (SimulatedSendable(observer.block), SimulatedSendable(notification))
    let operation = SimulatedBlockOperation { block.value(notification.value) }
    queue.addOperations([operation], waitUntilFinished: true)
  }

  func removeAllObservers() {
    // What a block holds may remove an observer when it goes.
    let last = observers
    observers = []
    withExtendedLifetime(last) {}
  }

  func hasObservers(of name: Notification.Name, from object: AnyObject) -> Bool {
    observers.contains { $0.takes(name, from: object) }
  }
}
