/// A source of values over time, and of a completion.
///
/// The module is Apple's Combine over the run: its schedulers, notification centers, timers and
/// observers are simulated. Nothing in it has a lock, because code of a run never runs on two
/// threads at a time. Only calls of these simulated types let other code run in between.
public protocol Publisher<Output, Failure> {
  /// The values.
  associatedtype Output
  /// How it fails; `Never` if it does not.
  associatedtype Failure: Error
  /// Attaches a subscriber. To be called by `subscribe` only.
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

/// The namespace of operators.
public enum Publishers {}

/// A receiver of values.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  /// The values.
  associatedtype Input
  /// How its publisher fails.
  associatedtype Failure: Error
  /// The publisher has accepted it: values come once the subscription is asked for some.
  func receive(subscription: any Subscription)
  /// A value has come. Answers how many more values it wants than it has asked for already.
  func receive(_ input: Input) -> Subscribers.Demand
  /// No more values come.
  func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
  /// An event without a value has come.
  public func receive() -> Subscribers.Demand { receive(()) }
}

/// Connects a subscriber to a publisher.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  /// Asks for more values.
  func request(_ demand: Subscribers.Demand)
}

/// The namespace of subscriptions that do nothing.
public enum Subscriptions {
  /// A subscription of a publisher that has no values.
  public static var empty: any Subscription { EmptySubscription() }

  private struct EmptySubscription: Subscription {
    var combineIdentifier: CombineIdentifier { CombineIdentifier() }
    func request(_ demand: Subscribers.Demand) {}
    func cancel() {}
  }
}

/// An activity that can end before it is over.
public protocol Cancellable {
  /// Ends it.
  func cancel()
}

/// A publisher that begins when `connect` is called.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Begins. What it answers ends it.
  func connect() -> any Cancellable
}

/// A publisher whose values code sends.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Sends a value to all subscribers that have asked for one.
  func send(_ value: Output)
  /// Ends it for all subscribers.
  func send(completion: Subscribers.Completion<Failure>)
  /// Is the subscription by which another publisher feeds the subject.
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

  /// Feeds a subject until what this answers is cancelled.
  public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable
  where S.Output == Output, S.Failure == Failure {
    let subscriber = SubjectSubscriber(subject)
    subscribe(subscriber)
    return AnyCancellable(subscriber)
  }
}

/// Tells instances apart.
public struct CombineIdentifier: Hashable, CustomStringConvertible {
  private final class Token {}
  private let object: AnyObject

  /// Differs from all others.
  public init() { object = Token() }
  /// Is the same for the same object.
  public init(_ object: AnyObject) { self.object = object }

  /// Holds for one object only.
  public static func == (a: CombineIdentifier, b: CombineIdentifier) -> Bool {
    a.object === b.object
  }
  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }
  /// Says nothing of the address, which differs from process to process.
  public var description: String { "CombineIdentifier" }
}

/// An instance with an identifier of its own.
public protocol CustomCombineIdentifierConvertible {
  /// Tells it apart from others.
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  /// The object's identity.
  public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
