public import CoreData
public import Foundation

extension SimulatedNotificationCenter {
  /// Has the notifications of a name.
  public struct Publisher: Combine.Publisher {
    /// The notifications.
    public typealias Output = Notification
    /// It does not fail.
    public typealias Failure = Never
    /// The center.
    public let center: SimulatedNotificationCenter
    /// The name.
    public let name: Notification.Name
    /// The sender; nil for any.
    public let object: AnyObject?

    /// A publisher of what the center posts.
    public init(
      center: SimulatedNotificationCenter, name: Notification.Name, object: AnyObject? = nil
    ) { (self.center, self.name, self.object) = (center, name, object) }

    /// Attaches a subscriber, which observes in the order of its subscription.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Notification, S.Failure == Never {
      let outlet = Outlet(subscriber)
      let token = center.addObserver(forName: name, object: object, queue: nil) {
        outlet.offer($0)
      }
      outlet.end = { [center] in center.removeObserver(token) }
      subscriber.receive(subscription: outlet)
    }
  }

  /// Has the notifications of a name that `object`, or anything if it is nil, posts. They are
  /// delivered on the queue of the poster.
  public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
    Publisher(center: self, name: name, object: object)
  }
}

/// The subscription to something that calls: a value for which the subscriber has not asked is
/// dropped.
final class Outlet<Downstream: Subscriber>: Subscription {
  private var downstream: Downstream?
  private var demand = Subscribers.Demand.none
  /// The newest value that was not asked for, if it is kept.
  private var missed: Downstream.Input?
  private let keepsNewest: Bool
  /// Ends what calls.
  var end: (() -> Void)?

  init(_ downstream: Downstream, keepsNewest: Bool = false) {
    (self.downstream, self.keepsNewest) = (downstream, keepsNewest)
  }

  func offer(_ value: Downstream.Input) {
    guard let downstream else { return }
    guard demand > 0 else {
      if keepsNewest { missed = value }
      return
    }
    demand -= 1
    demand += downstream.receive(value)
  }

  func request(_ demand: Subscribers.Demand) {
    guard downstream != nil, demand > 0 else { return }
    self.demand += demand
    guard let value = missed else { return }
    missed = nil
    offer(value)
  }

  func cancel() {
    let last = (downstream, end, missed)
    (downstream, end, missed) = (nil, nil, nil)
    last.1?()
  }
}
