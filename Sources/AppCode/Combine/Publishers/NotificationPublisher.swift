public import CoreData
public import Foundation

extension SimulatedNotificationCenter {
  /// A publisher of notifications with a given name.
  public struct Publisher: Combine.Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Notification
    /// The publisher never fails.
    public typealias Failure = Never
    /// The notification center.
    public let center: SimulatedNotificationCenter
    /// The name of the notifications.
    public let name: Notification.Name
    /// The sender, or nil for all senders.
    public let object: AnyObject?

    /// Creates a publisher of notifications that the center posts.
    public init(
      center: SimulatedNotificationCenter, name: Notification.Name, object: AnyObject? = nil
    ) { (self.center, self.name, self.object) = (center, name, object) }

    /// Attaches a subscriber. Observers are called in order of subscription.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Notification, S.Failure == Never {
      let subscription = ClosureSubscription(subscriber)
      let token = center.addObserver(forName: name, object: object, queue: nil) {
        subscription.offer($0)
      }
      subscription.end = { [center] in center.removeObserver(token) }
      subscriber.receive(subscription: subscription)
    }
  }

  /// Publishes notifications with a given name that `object` posts, or any object if it is nil.
  /// They are delivered on the queue of the sender.
  public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
    Publisher(center: self, name: name, object: object)
  }
}

/// The subscription to a source that calls closures. A value without demand is dropped, unless the
/// newest value is kept.
final class ClosureSubscription<Downstream: Subscriber>: Subscription {
  private var downstream: Downstream?
  private var demand = Subscribers.Demand.none
  /// The newest value without demand, if the subscription keeps it.
  private var missed: Downstream.Input?
  private let keepsNewest: Bool
  /// Ends the calls of the source.
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
