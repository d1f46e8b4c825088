extension Publishers {
  /// A publisher that feeds a subject with the values of its upstream once connected.
  public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher
  where SubjectType.Output == Upstream.Output, SubjectType.Failure == Upstream.Failure {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    private let upstream: Upstream
    private lazy var subject = createSubject()
    private let createSubject: () -> SubjectType

    /// Creates a publisher that makes its subject for the first subscriber.
    public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
      (self.upstream, self.createSubject) = (upstream, createSubject)
    }

    /// Attaches a subscriber to the subject.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure { subject.subscribe(subscriber) }

    /// Feeds the subject until the result is cancelled.
    public func connect() -> any Cancellable { upstream.subscribe(subject) }
  }

  /// A publisher that connects its upstream for the first subscriber, and disconnects after the
  /// last one.
  public final class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    /// The connectable publisher.
    public let upstream: Upstream
    private var connection: (any Cancellable)?
    private var subscriberCount = 0

    /// Creates a publisher that connects `upstream`.
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      subscriberCount += 1
      let isFirst = subscriberCount == 1
      upstream.subscribe(Ending(subscriber) { [self] in leave() })
      guard isFirst, subscriberCount > 0 else { return }
      let connection = upstream.connect()
      // All subscribers may have cancelled during `connect`.
      if subscriberCount > 0 { self.connection = connection } else { connection.cancel() }
    }

    private func leave() {
      subscriberCount -= 1
      guard subscriberCount == 0 else { return }
      let last = connection
      connection = nil
      last?.cancel()
    }
  }

  /// A publisher that shares one subscription to its upstream among all subscribers.
  public final class Share<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    private let shared: Autoconnect<Multicast<Upstream, PassthroughSubject<Output, Failure>>>
    /// The shared publisher.
    public let upstream: Upstream

    /// Creates a publisher that shares `upstream`.
    public init(upstream: Upstream) {
      self.upstream = upstream
      shared = upstream.multicast { PassthroughSubject() }.autoconnect()
    }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure { shared.subscribe(subscriber) }
  }

  /// A publisher that begins when it is connected.
  public struct MakeConnectable<Upstream: Publisher>: ConnectablePublisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    private let inner: Multicast<Upstream, PassthroughSubject<Output, Failure>>

    init(_ upstream: Upstream) { inner = upstream.multicast { PassthroughSubject() } }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure { inner.subscribe(subscriber) }

    /// Begins publishing. Cancelling the result ends it.
    public func connect() -> any Cancellable { inner.connect() }
  }
}

/// A subscriber that passes all events, and calls a closure once its own subscriber ends or
/// cancels.
private final class Ending<Downstream: Subscriber>: Subscriber, Subscription, Placed {
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure
  private var downstream: Downstream?
  private var upstream: (any Subscription)?
  private var leave: (() -> Void)?

  init(_ downstream: Downstream, leave: @escaping () -> Void) {
    (self.downstream, self.leave) = (downstream, leave)
  }

  var place: SourcePlace? { downstream.flatMap { SourcePlace.of($0) } }

  func receive(subscription: any Subscription) {
    guard let downstream, upstream == nil else { return subscription.cancel() }
    upstream = subscription
    downstream.receive(subscription: self)
  }

  func receive(_ input: Input) -> Subscribers.Demand { downstream?.receive(input) ?? .none }

  func receive(completion: Subscribers.Completion<Failure>) {
    let last = (downstream, leave)
    (downstream, upstream, leave) = (nil, nil, nil)
    last.1?()
    last.0?.receive(completion: completion)
  }

  func request(_ demand: Subscribers.Demand) { upstream?.request(demand) }

  func cancel() {
    let last = (upstream, leave)
    (downstream, upstream, leave) = (nil, nil, nil)
    last.0?.cancel()
    last.1?()
  }
}

extension Publisher {
  /// Shares one subscription among all subscribers.
  public func share() -> Publishers.Share<Self> { .init(upstream: self) }

  /// Feeds a subject, which the closure makes, once the publisher is connected.
  public func multicast<S: Subject>(
    _ createSubject: @escaping () -> S
  ) -> Publishers.Multicast<Self, S> where S.Output == Output, S.Failure == Failure {
    .init(upstream: self, createSubject: createSubject)
  }

  /// Feeds a subject once the publisher is connected.
  public func multicast<S: Subject>(subject: S) -> Publishers.Multicast<Self, S>
  where S.Output == Output, S.Failure == Failure {
    .init(upstream: self) { subject }
  }
}

extension Publisher where Failure == Never {
  /// Delays publishing until the publisher is connected.
  public func makeConnectable() -> Publishers.MakeConnectable<Self> { .init(self) }
}

extension ConnectablePublisher {
  /// Connects for the first subscriber, and disconnects after the last one.
  public func autoconnect() -> Publishers.Autoconnect<Self> { .init(upstream: self) }
}
