/// The subscribers of a subject, in order of subscription.
///
/// A value that is sent during the delivery of another value is delivered immediately. Subscribers
/// that attach or cancel during a delivery do not receive its value.
final class Hub<Output, Failure: Error> {
  private var conduits: [Conduit<Output, Failure>] = []
  private(set) var completion: Subscribers.Completion<Failure>?
  /// Returns the newest value, if the subject keeps one. Subscribers that missed the value receive
  /// it on demand.
  var current: (() -> Output)?
  private var upstreams: [any Subscription] = []
  /// A Boolean value that indicates whether the upstreams have been asked for their values.
  private var isAsked = false

  /// Cancels the upstreams that feed the subject.
  deinit { for upstream in upstreams { upstream.cancel() } }

  func attach<S: Subscriber>(_ subscriber: S, of owner: AnyObject)
  where S.Input == Output, S.Failure == Failure {
    if let completion {
      subscriber.receive(subscription: Subscriptions.empty)
      return subscriber.receive(completion: completion)
    }
    let conduit = SubscriberConduit(self, owner, subscriber)
    conduits.append(conduit)
    subscriber.receive(subscription: conduit)
  }

  func send(_ value: Output) {
    if completion != nil { return }
    for conduit in conduits { conduit.offer(value) }
  }

  func send(completion: Subscribers.Completion<Failure>) {
    if self.completion != nil { return }
    self.completion = completion
    let (last, fed) = (conduits, upstreams)
    (conduits, upstreams) = ([], [])
    for conduit in last { conduit.finish(completion) }
    withExtendedLifetime(fed) {}
  }

  func add(_ upstream: any Subscription, asksAtOnce: Bool) {
    if completion != nil { return upstream.cancel() }
    upstreams.append(upstream)
    if asksAtOnce || isAsked { upstream.request(.unlimited) }
  }

  fileprivate func noteDemand() {
    if isAsked { return }
    isAsked = true
    for upstream in upstreams { upstream.request(.unlimited) }
  }

  fileprivate func remove(_ conduit: Conduit<Output, Failure>) {
    conduits.removeAll { $0 === conduit }
  }
}

/// A connection from a subject to one subscriber.
private class Conduit<Output, Failure: Error> {
  func offer(_ value: Output) {}
  func finish(_ completion: Subscribers.Completion<Failure>) {}
}

private final class SubscriberConduit<Downstream: Subscriber>: Conduit<
  Downstream.Input, Downstream.Failure
>, Subscription
{
  private var hub: Hub<Downstream.Input, Downstream.Failure>?
  /// The subject, which lives as long as its subscribers are attached.
  private var owner: AnyObject?
  private var downstream: Downstream?
  private var demand = Subscribers.Demand.none
  /// A Boolean value that indicates whether the subscriber has missed the newest value.
  private var isBehind = true

  init(
    _ hub: Hub<Downstream.Input, Downstream.Failure>, _ owner: AnyObject,
    _ downstream: Downstream
  ) { (self.hub, self.owner, self.downstream) = (hub, owner, downstream) }

  override func offer(_ value: Downstream.Input) {
    guard let downstream else { return }
    guard demand > 0 else {
      isBehind = true
      return
    }
    isBehind = false
    demand -= 1
    demand += downstream.receive(value)
  }

  override func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
    guard let downstream else { return }
    let last = (hub, owner)
    (hub, owner, self.downstream) = (nil, nil, nil)
    downstream.receive(completion: completion)
    withExtendedLifetime(last) {}
  }

  func request(_ demand: Subscribers.Demand) {
    guard let hub, downstream != nil, demand > 0 else { return }
    self.demand += demand
    if isBehind, let current = hub.current { offer(current()) }
    hub.noteDemand()
  }

  func cancel() {
    let last = (hub, owner, downstream)
    (hub, owner, downstream) = (nil, nil, nil)
    last.0?.remove(self)
  }
}
