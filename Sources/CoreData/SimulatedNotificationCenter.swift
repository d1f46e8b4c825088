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
    let token: AnyObject
    let name: Notification.Name?
    weak var object: AnyObject?
    /// Whether any sender will do.
    let takesAll: Bool
    let queue: OperationQueue?
    let block: (Notification) -> Void

    func takes(_ name: Notification.Name, from object: AnyObject?) -> Bool {
      (self.name == nil || self.name == name) && (takesAll || self.object === object)
    }
  }

  private var observers: [Observer] = []

  init() {}

  /// Has `block` called when `object`, or anything if it is nil, posts `name`. With an operation
  /// queue other than nil and the main one it traps: those cannot be simulated yet.
  @discardableResult
  public func addObserver(
    forName name: Notification.Name?, object: Any?, queue: OperationQueue?,
    using block: @escaping (Notification) -> Void
  ) -> any NSObjectProtocol {
    let token = Token()
    observers.append(
      Observer(
        token: token, name: name, object: object.map { $0 as AnyObject }, takesAll: object == nil,
        queue: queue, block: block))
    return token
  }

  /// Ends what `addObserver` began.
  public func removeObserver(_ observer: Any) {
    let last = observers
    observers = last.filter { $0.token !== observer as AnyObject }
  }

  /// Posts a notification.
  public func post(name: Notification.Name, object: Any?, userInfo: [AnyHashable: Any]? = nil) {
    post(Notification(name: name, object: object, userInfo: userInfo))
  }

  /// Posts a notification. Observers that are added meanwhile are not called.
  public func post(_ notification: Notification) {
    let sender = notification.object.map { $0 as AnyObject }
    for observer in observers where observer.takes(notification.name, from: sender) {
      guard observers.contains(where: { $0.token === observer.token }) else { continue }
      call(observer, notification)
    }
  }

  /// A block for the main operation queue is waited for, unless the poster is on the main thread.
  private func call(_ observer: Observer, _ notification: Notification) {
    guard let queue = observer.queue else { return observer.block(notification) }
    guard queue === OperationQueue.main else {
      misuse("an observer has an operation queue of its own, which is not simulated")
    }
    let run = RunState.current.run
    if run.isOnMainThread { return observer.block(notification) }
    run.sync(on: run.look { $0.mainQueue }, isReentrant: false) { observer.block(notification) }
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
