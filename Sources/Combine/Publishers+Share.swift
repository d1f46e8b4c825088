extension Publishers {
  /// Feeds a subject with the values of a publisher once it is connected.
  public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher
  where SubjectType.Output == Upstream.Output, SubjectType.Failure == Upstream.Failure {
    /// The values.
    public typealias Output = Upstream.Output
    /// The failures.
    public typealias Failure = Upstream.Failure
    private let upstream: Upstream
    private lazy var subject = createSubject()
    private let createSubject: () -> SubjectType

    /// A publisher that makes its subject for the first subscriber.
    public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
      (self.upstream, self.createSubject) = (upstream, createSubject)
    }

    /// Attaches a subscriber to the subject.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure { subject.subscribe(subscriber) }

    /// Feeds the subject until what this answers is cancelled.
    public func connect() -> any Cancellable { upstream.subscribe(subject) }
  }

  /// Connects for the first subscriber, and until the last has gone.
  public final class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
    /// The values.
    public typealias Output = Upstream.Output
    /// The failures.
    public typealias Failure = Upstream.Failure
    /// The publisher that is connected.
    public let upstream: Upstream
    private var connection: (any Cancellable)?
    private var subscriberCount = 0

    /// A publisher that connects this one.
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      subscriberCount += 1
      let isFirst = subscriberCount == 1
      upstream.subscribe(Ending(subscriber) { [self] in leave() })
      guard isFirst, subscriberCount > 0 else { return }
      let connection = upstream.connect()
      // All may have gone while it began.
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

  /// Shares one subscription to a publisher among all subscribers.
  public final class Share<Upstream: Publisher>: Publisher {
    /// The values.
    public typealias Output = Upstream.Output
    /// The failures.
    public typealias Failure = Upstream.Failure
    private let shared: Autoconnect<Multicast<Upstream, PassthroughSubject<Output, Failure>>>
    /// The publisher that is shared.
    public let upstream: Upstream

    /// A publisher that shares this one.
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
    /// The values.
    public typealias Output = Upstream.Output
    /// The failures.
    public typealias Failure = Upstream.Failure
    private let inner: Multicast<Upstream, PassthroughSubject<Output, Failure>>

    init(_ upstream: Upstream) { inner = upstream.multicast { PassthroughSubject() } }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure { inner.subscribe(subscriber) }

    /// Begins.
    public func connect() -> any Cancellable { inner.connect() }
  }
}

/// Passes everything, and says once that its subscriber has gone.
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

  /// Feeds a subject, which the closure makes, once it is connected.
  public func multicast<S: Subject>(
    _ createSubject: @escaping () -> S
  ) -> Publishers.Multicast<Self, S> where S.Output == Output, S.Failure == Failure {
    .init(upstream: self, createSubject: createSubject)
  }

  /// Feeds a subject once it is connected.
  public func multicast<S: Subject>(subject: S) -> Publishers.Multicast<Self, S>
  where S.Output == Output, S.Failure == Failure {
    .init(upstream: self) { subject }
  }
}

extension Publisher where Failure == Never {
  /// Begins when it is connected.
  public func makeConnectable() -> Publishers.MakeConnectable<Self> { .init(self) }
}

extension ConnectablePublisher {
  /// Connects for the first subscriber, and until the last has gone.
  public func autoconnect() -> Publishers.Autoconnect<Self> { .init(upstream: self) }
}
