/// A type-erased publisher.
public struct AnyPublisher<Output, Failure: Error>: Publisher, @unchecked Sendable {
  private let box: PublisherBox<Output, Failure>

  /// Creates a publisher that wraps another one of any type.
  public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
    box = (publisher as? AnyPublisher)?.box ?? BoxedPublisher(publisher)
  }

  /// Attaches a subscriber.
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure { box.receive(subscriber) }
}

extension Publisher {
  /// Wraps the publisher in a type-erased publisher.
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

private class PublisherBox<Output, Failure: Error> {
  func receive<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
    preconditionFailure("a box without a publisher")
  }
}

private final class BoxedPublisher<Source: Publisher>: PublisherBox<Source.Output, Source.Failure> {
  private let source: Source

  init(_ source: Source) { self.source = source }

  override func receive<S: Subscriber>(_ subscriber: S)
  where S.Input == Source.Output, S.Failure == Source.Failure {
    source.receive(subscriber: subscriber)
  }
}

/// A type-erased subscriber.
public struct AnySubscriber<Input, Failure: Error>: Subscriber, Placed {
  /// The identifier of the wrapped subscriber, or a new identifier for closures.
  public let combineIdentifier: CombineIdentifier
  let place: SourcePlace?
  private let begin: (any Subscription) -> Void
  private let take: (Input) -> Subscribers.Demand
  private let end: (Subscribers.Completion<Failure>) -> Void

  /// Creates a subscriber that wraps another one of any type.
  public init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
    combineIdentifier = subscriber.combineIdentifier
    place = SourcePlace.of(subscriber)
    begin = { subscriber.receive(subscription: $0) }
    take = { subscriber.receive($0) }
    end = { subscriber.receive(completion: $0) }
  }

  /// Creates a subscriber that sends all values to a subject.
  public init<S: Subject>(_ subject: S) where S.Output == Input, S.Failure == Failure {
    self.init(SubjectSubscriber(subject))
  }

  /// Creates a subscriber that calls closures. A closure that is nil has no effect.
  public init(
    receiveSubscription: ((any Subscription) -> Void)? = nil,
    receiveValue: ((Input) -> Subscribers.Demand)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil
  ) {
    (combineIdentifier, place) = (CombineIdentifier(), nil)
    begin = receiveSubscription ?? { _ in }
    take = receiveValue ?? { _ in .none }
    end = receiveCompletion ?? { _ in }
  }

  /// Passes the subscription to the wrapped subscriber.
  public func receive(subscription: any Subscription) { begin(subscription) }
  /// Passes the value to the wrapped subscriber.
  public func receive(_ value: Input) -> Subscribers.Demand { take(value) }
  /// Passes the completion to the wrapped subscriber.
  public func receive(completion: Subscribers.Completion<Failure>) { end(completion) }
}

/// A subscriber that passes the events of a publisher to a subject.
final class SubjectSubscriber<Target: Subject>: Subscriber, Subscription {
  typealias Input = Target.Output
  typealias Failure = Target.Failure
  private var subject: Target?
  private var upstream: (any Subscription)?

  init(_ subject: Target) { self.subject = subject }

  func receive(subscription: any Subscription) {
    guard let subject, upstream == nil else { return subscription.cancel() }
    upstream = subscription
    subject.send(subscription: self)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    subject?.send(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let subject = subject
    (self.subject, upstream) = (nil, nil)
    subject?.send(completion: completion)
  }

  func request(_ demand: Subscribers.Demand) { upstream?.request(demand) }

  func cancel() {
    let upstream = upstream
    (subject, self.upstream) = (nil, nil)
    upstream?.cancel()
  }
}
