extension Publishers {
  /// A publisher that drops values until another publisher publishes a value.
  public struct DropUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher
  where Other.Failure == Upstream.Failure {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let other: Other

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let until = Until(subscriber, isOpen: false)
      let trigger = Trigger<Other.Output, Failure> {
        until.isOpen = true
      } end: { [weak until] completion in
        // The other publisher ended without a value, so no value can pass any more.
        until?.finish(completion)
      }
      until.trigger = trigger
      other.subscribe(trigger)
      upstream.subscribe(until)
    }
  }

  /// A publisher of values until another publisher publishes a value.
  public struct PrefixUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let other: Other

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let until = Until(subscriber, isOpen: true)
      let trigger = Trigger<Other.Output, Other.Failure> {
        until.finish(.finished)
      } end: { _ in
      }
      until.trigger = trigger
      other.subscribe(trigger)
      upstream.subscribe(until)
    }
  }
}

/// A subscriber that passes values while it is open.
private final class Until<Downstream: Subscriber>: Subscriber, Subscription, Placed {
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure
  private var downstream: Downstream?
  private var upstream: (any Subscription)?
  private var end: Subscribers.Completion<Failure>?
  private var isBegun = false
  var trigger: (any Cancellable)?
  var isOpen: Bool

  init(_ downstream: Downstream, isOpen: Bool) {
    (self.downstream, self.isOpen) = (downstream, isOpen)
  }

  var place: SourcePlace? { downstream.flatMap { SourcePlace.of($0) } }

  func receive(subscription: any Subscription) {
    guard let downstream, upstream == nil else { return subscription.cancel() }
    upstream = subscription
    isBegun = true
    downstream.receive(subscription: self)
    if let end { finish(end) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    guard let downstream else { return .none }
    return isOpen ? downstream.receive(input) : .max(1)
  }

  func receive(completion: Subscribers.Completion<Failure>) { finish(completion) }

  /// Finishes, but not before the subscriber has its subscription.
  func finish(_ completion: Subscribers.Completion<Failure>) {
    guard isBegun else {
      end = completion
      return
    }
    guard let downstream else { return }
    cancel()
    downstream.receive(completion: completion)
  }

  func request(_ demand: Subscribers.Demand) { upstream?.request(demand) }

  func cancel() {
    let last = (upstream, trigger)
    (downstream, upstream, trigger) = (nil, nil, nil)
    last.1?.cancel()
    last.0?.cancel()
  }
}

/// A subscriber that waits for one value of another publisher.
private final class Trigger<Input, Failure: Error>: Subscriber, Cancellable {
  private var fire: (() -> Void)?
  private var end: ((Subscribers.Completion<Failure>) -> Void)?
  private var subscription: (any Subscription)?

  init(
    fire: @escaping () -> Void, end: @escaping (Subscribers.Completion<Failure>) -> Void
  ) { (self.fire, self.end) = (fire, end) }

  func receive(subscription: any Subscription) {
    guard fire != nil, self.subscription == nil else { return subscription.cancel() }
    self.subscription = subscription
    subscription.request(.max(1))
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    let fire = fire
    cancel()
    fire?()
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let end = end
    (fire, self.end, subscription) = (nil, nil, nil)
    end?(completion)
  }

  func cancel() {
    let last = subscription
    (subscription, fire, end) = (nil, nil, nil)
    last?.cancel()
  }
}

extension Publisher {
  /// Drops values until another publisher publishes a value.
  public func drop<P: Publisher>(
    untilOutputFrom publisher: P
  ) -> Publishers.DropUntilOutput<Self, P> where P.Failure == Failure {
    .init(upstream: self, other: publisher)
  }

  /// Publishes values until another publisher publishes a value, then ends.
  public func prefix<P: Publisher>(
    untilOutputFrom publisher: P
  ) -> Publishers.PrefixUntilOutput<Self, P> { .init(upstream: self, other: publisher) }
}
