extension Publishers {
  /// A publisher of the elements of a sequence.
  public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Elements.Element
    /// The sequence.
    public let sequence: Elements

    /// Creates a publisher of the sequence's elements.
    public init(sequence: Elements) { self.sequence = sequence }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let walk = SequenceWalk(sequence.makeIterator(), subscriber)
      if walk.isEmpty {
        subscriber.receive(subscription: Subscriptions.empty)
        subscriber.receive(completion: .finished)
      } else {
        subscriber.receive(subscription: walk)
      }
    }
  }
}

/// The subscription to a sequence.
private final class SequenceWalk<Iterator: IteratorProtocol, Downstream: Subscriber>: Subscription
where Iterator.Element == Downstream.Input {
  private var iterator: Iterator
  private var next: Iterator.Element?
  private var downstream: Downstream?
  private var demand = Subscribers.Demand.none
  private var isWalking = false

  init(_ iterator: Iterator, _ downstream: Downstream) {
    (self.iterator, self.downstream) = (iterator, downstream)
    next = self.iterator.next()
  }

  var isEmpty: Bool { next == nil }

  /// Requests more elements. If a request arrives during a delivery, its elements follow that
  /// delivery.
  func request(_ demand: Subscribers.Demand) {
    self.demand += demand
    if isWalking { return }
    isWalking = true
    defer { isWalking = false }
    while self.demand > 0, let downstream, let value = next {
      self.demand -= 1
      next = iterator.next()
      self.demand += downstream.receive(value)
      if next == nil, self.downstream != nil {
        self.downstream = nil
        downstream.receive(completion: .finished)
      }
    }
  }

  func cancel() { downstream = nil }
}

extension Sequence {
  /// A publisher of the elements.
  public var publisher: Publishers.Sequence<Self, Never> { .init(sequence: self) }
}

extension Optional {
  /// A publisher of the wrapped value, if one exists.
  public struct Publisher: Combine.Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Wrapped
    /// The publisher never fails.
    public typealias Failure = Never
    /// The wrapped value, if one exists.
    public let output: Wrapped?

    /// Creates a publisher of a value, if one exists.
    public init(_ output: Wrapped?) { self.output = output }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Wrapped, S.Failure == Never {
      if let output {
        Just(output).receive(subscriber: subscriber)
      } else {
        Empty().receive(subscriber: subscriber)
      }
    }
  }

  /// A publisher of the wrapped value, if one exists.
  public var publisher: Publisher { Publisher(self) }
}

extension Result {
  /// A publisher of the result's value or failure.
  public struct Publisher: Combine.Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Success
    /// The published result.
    public let result: Result

    /// Creates a publisher of a result.
    public init(_ result: Result) { self.result = result }
    /// Creates a publisher of a value.
    public init(_ output: Success) { result = .success(output) }
    /// Creates a publisher that fails with an error.
    public init(_ failure: Failure) { result = .failure(failure) }

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Success, S.Failure == Failure {
      switch result {
      case .success: subscriber.receive(subscription: Single(result, subscriber))
      case .failure(let error): Fail(error: error).receive(subscriber: subscriber)
      }
    }
  }

  /// A publisher of the result's value or failure.
  public var publisher: Publisher { Publisher(self) }
}
