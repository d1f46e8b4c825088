/// A source of values over time, which ends with a completion.
///
/// The module implements Apple's Combine over the run, with simulated schedulers, notification
/// centers, timers and observers. It needs no locks, because code of a run never runs on two
/// threads at a time. Other code can run only during a call of these simulated types.
public protocol Publisher<Output, Failure> {
  /// The kind of values that the publisher publishes.
  associatedtype Output
  /// The kind of errors that can end the publisher, or `Never`.
  associatedtype Failure: Error
  /// Attaches a subscriber. Only `subscribe` may call this method.
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

/// A namespace for publishers that are operators.
public enum Publishers {}

/// A receiver of values.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  /// The kind of values that the subscriber receives.
  associatedtype Input
  /// The kind of errors with which its publisher can fail.
  associatedtype Failure: Error
  /// Receives a subscription, from which the subscriber then requests values.
  func receive(subscription: any Subscription)
  /// Receives a value, and returns the number of values requested in addition.
  func receive(_ input: Input) -> Subscribers.Demand
  /// Receives the completion, after which no more values follow.
  func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
  /// Receives an event without a value.
  public func receive() -> Subscribers.Demand { receive(()) }
}

/// A connection of a subscriber to a publisher.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  /// Requests more values.
  func request(_ demand: Subscribers.Demand)
}

/// A namespace for subscriptions.
public enum Subscriptions {
  /// A subscription without effect, for publishers without values.
  public static var empty: any Subscription { EmptySubscription() }

  private struct EmptySubscription: Subscription {
    var combineIdentifier: CombineIdentifier { CombineIdentifier() }
    func request(_ demand: Subscribers.Demand) {}
    func cancel() {}
  }
}

/// An activity that can be cancelled.
public protocol Cancellable {
  /// Cancels the activity.
  func cancel()
}

/// A publisher that begins when code calls `connect`.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Begins publishing. Cancelling the result ends it.
  func connect() -> any Cancellable
}

/// A publisher whose values are sent by code.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Sends a value to all subscribers with demand.
  func send(_ value: Output)
  /// Sends a completion to all subscribers.
  func send(completion: Subscribers.Completion<Failure>)
  /// Receives the subscription of another publisher that feeds the subject.
  func send(subscription: any Subscription)
}

extension Subject where Output == Void {
  /// Sends an event without a value.
  public func send() { send(()) }
}

extension Publisher {
  /// Attaches a subscriber.
  public func subscribe<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    receive(subscriber: subscriber)
  }

  /// Feeds a subject with the publisher's values until the result is cancelled.
  public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable
  where S.Output == Output, S.Failure == Failure {
    let subscriber = SubjectSubscriber(subject)
    subscribe(subscriber)
    return AnyCancellable(subscriber)
  }
}

/// An identifier of a subscriber, subscription or other instance.
public struct CombineIdentifier: Hashable, CustomStringConvertible {
  private final class Token {}
  private let object: AnyObject

  /// Creates a unique identifier.
  public init() { object = Token() }
  /// Creates the identifier of an object.
  public init(_ object: AnyObject) { self.object = object }

  /// Returns whether two identifiers belong to the same object.
  public static func == (a: CombineIdentifier, b: CombineIdentifier) -> Bool {
    a.object === b.object
  }
  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }
  /// A text without the address of the object, which differs between processes.
  public var description: String { "CombineIdentifier" }
}

/// An instance with an identifier.
public protocol CustomCombineIdentifierConvertible {
  /// The identifier of the instance.
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  /// The identifier made from the object's identity.
  public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
