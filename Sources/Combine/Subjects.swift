/// Sends values on to those who are subscribed.
public final class PassthroughSubject<Output, Failure: Error>: Subject, @unchecked Sendable {
  private let hub = Hub<Output, Failure>()

  /// A subject.
  public init() {}

  /// Attaches a subscriber.
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure { hub.attach(subscriber, of: self) }

  /// Sends a value to all subscribers that have asked for one; the others miss it.
  public func send(_ input: Output) { hub.send(input) }

  /// Ends it for all subscribers.
  public func send(completion: Subscribers.Completion<Failure>) { hub.send(completion: completion) }

  /// Asks for all values, once a subscriber has asked for one.
  public func send(subscription: any Subscription) { hub.add(subscription, asksAtOnce: false) }
}

/// Sends values on, and keeps the newest for those who come later.
public final class CurrentValueSubject<Output, Failure: Error>: Subject, @unchecked Sendable {
  private let hub = Hub<Output, Failure>()
  private var newest: Output

  /// The newest value. Setting it sends it.
  public var value: Output {
    get { newest }
    set { send(newValue) }
  }

  /// A subject with a first value.
  public init(_ value: Output) {
    newest = value
    hub.current = { [unowned self] in newest }
  }

  /// Attaches a subscriber, which gets the newest value first.
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure { hub.attach(subscriber, of: self) }

  /// Sends a value to all subscribers that have asked for one; the others get the newest when they
  /// ask.
  public func send(_ input: Output) {
    if hub.completion != nil { return }
    newest = input
    hub.send(input)
  }

  /// Ends it for all subscribers.
  public func send(completion: Subscribers.Completion<Failure>) { hub.send(completion: completion) }

  /// Asks for all values.
  public func send(subscription: any Subscription) { hub.add(subscription, asksAtOnce: true) }
}
