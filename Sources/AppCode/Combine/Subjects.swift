/// A subject that passes values to its current subscribers.
public final class PassthroughSubject<Output, Failure: Error>: Subject, @unchecked Sendable {
  private let hub = Hub<Output, Failure>()

  /// Creates a subject.
  public init() {}

  /// Attaches a subscriber.
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure { hub.attach(subscriber, of: self) }

  /// Sends a value to all subscribers with demand. Other subscribers miss the value.
  public func send(_ input: Output) { hub.send(input) }

  /// Sends a completion to all subscribers.
  public func send(completion: Subscribers.Completion<Failure>) { hub.send(completion: completion) }

  /// Requests all values of an upstream, once a subscriber has requested a value.
  public func send(subscription: any Subscription) { hub.add(subscription, asksAtOnce: false) }
}

/// A subject that passes values to its subscribers, and keeps the newest value for later
/// subscribers.
public final class CurrentValueSubject<Output, Failure: Error>: Subject, @unchecked Sendable {
  private let hub = Hub<Output, Failure>()
  private var newest: Output

  /// The newest value. Setting it sends the value to subscribers.
  public var value: Output {
    get { newest }
    set { send(newValue) }
  }

  /// Creates a subject with an initial value.
  public init(_ value: Output) {
    newest = value
    hub.current = { [unowned self] in newest }
  }

  /// Attaches a subscriber, which receives the newest value first.
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure { hub.attach(subscriber, of: self) }

  /// Sends a value to all subscribers with demand. Other subscribers receive the newest value when
  /// they request one.
  public func send(_ input: Output) {
    if hub.completion != nil { return }
    newest = input
    hub.send(input)
  }

  /// Sends a completion to all subscribers.
  public func send(completion: Subscribers.Completion<Failure>) { hub.send(completion: completion) }

  /// Requests all values of an upstream.
  public func send(subscription: any Subscription) { hub.add(subscription, asksAtOnce: true) }
}
