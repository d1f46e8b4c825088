/// A publisher of one value.
public struct Just<Output>: Publisher {
  /// The publisher never fails.
  public typealias Failure = Never
  /// The published value.
  public let output: Output

  /// Creates a publisher of the given value.
  public init(_ output: Output) { self.output = output }

  /// Attaches a subscriber.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    subscriber.receive(subscription: Single(.success(output), subscriber))
  }
}

extension Just: Equatable where Output: Equatable {}
extension Just: Sendable where Output: Sendable {}

/// A publisher without values.
public struct Empty<Output, Failure: Error>: Publisher, Equatable, Sendable {
  /// A Boolean value that indicates whether the publisher finishes immediately.
  public let completeImmediately: Bool

  /// Creates a publisher that finishes immediately, or never.
  public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }

  /// Creates a publisher of the given types that finishes immediately, or never.
  public init(
    completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type
  ) { self.init(completeImmediately: completeImmediately) }

  /// Attaches a subscriber.
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    subscriber.receive(subscription: Subscriptions.empty)
    if completeImmediately { subscriber.receive(completion: .finished) }
  }
}

/// A publisher that fails immediately.
public struct Fail<Output, Failure: Error>: Publisher {
  /// The failure.
  public let error: Failure

  /// Creates a publisher that fails with the given error.
  public init(error: Failure) { self.error = error }

  /// Creates a publisher of the given types that fails immediately.
  public init(outputType: Output.Type, failure: Failure) { error = failure }

  /// Attaches a subscriber.
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    subscriber.receive(subscription: Subscriptions.empty)
    subscriber.receive(completion: .failure(error))
  }
}

extension Fail: Equatable where Failure: Equatable {}
extension Fail: Sendable where Output: Sendable {}

/// A publisher that calls a closure to make a publisher for each subscriber.
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
  /// The kind of values that the made publishers publish.
  public typealias Output = DeferredPublisher.Output
  /// The kind of errors that can end the made publishers.
  public typealias Failure = DeferredPublisher.Failure
  /// Makes the publisher for a subscriber.
  public let createPublisher: () -> DeferredPublisher

  /// Creates a publisher that calls the closure for each subscriber.
  public init(createPublisher: @escaping () -> DeferredPublisher) {
    self.createPublisher = createPublisher
  }

  /// Attaches a subscriber.
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure { createPublisher().subscribe(subscriber) }
}

/// A publisher that runs a closure immediately, and publishes the value with which the closure
/// fulfils its promise.
public final class Future<Output, Failure: Error>: Publisher, @unchecked Sendable {
  /// A function that takes the result. Only the first call has an effect.
  public typealias Promise = (Result<Output, Failure>) -> Void
  private var result: Result<Output, Failure>?
  private var waiting: [(Result<Output, Failure>) -> Void] = []

  /// Runs the closure, once for all subscribers.
  public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
    attemptToFulfill { [self] in fulfill($0) }
  }

  private func fulfill(_ result: Result<Output, Failure>) {
    if self.result != nil { return }
    self.result = result
    let last = waiting
    waiting = []
    for fulfill in last { fulfill(result) }
  }

  /// Attaches a subscriber.
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    let single = Single(result, subscriber)
    if result == nil { waiting.append { single.fulfill($0) } }
    single.begin()
  }
}

extension Future where Failure == Never {
  /// The value, as soon as it is available.
  public var value: Output {
    get async {
      switch await settled {
      case .success(let value): value
      }
    }
  }
}

extension Future {
  /// The value, as soon as it is available. Throws the failure.
  @_disfavoredOverload public var value: Output {
    get async throws { try await settled.get() }
  }

  private var settled: Result<Output, Failure> {
    get async {
      await withCheckedContinuation { continuation in
        if let result { return continuation.resume(returning: Settled(result: result)) }
        waiting.append { continuation.resume(returning: Settled(result: $0)) }
      }.result
    }
  }

  /// A result for a waiting task. It needs no lock, because only one thread of a run has the turn.
  private struct Settled: @unchecked Sendable {
    let result: Result<Output, Failure>
  }
}

/// The subscription to a single result, which may already be available.
final class Single<Downstream: Subscriber>: Subscription {
  private var downstream: Downstream?
  private var result: Result<Downstream.Input, Downstream.Failure>?
  private var isAsked = false

  init(_ result: Result<Downstream.Input, Downstream.Failure>?, _ downstream: Downstream) {
    (self.result, self.downstream) = (result, downstream)
  }

  /// Passes the subscription to the subscriber. A failure that is already known is delivered
  /// without demand.
  func begin() {
    downstream?.receive(subscription: self)
    if case .failure? = result { deliver() }
  }

  func fulfill(_ result: Result<Downstream.Input, Downstream.Failure>) {
    self.result = result
    deliver()
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > 0, !isAsked else { return }
    isAsked = true
    deliver()
  }

  private func deliver() {
    guard let downstream, let result else { return }
    switch result {
    case .success(let value):
      guard isAsked else { return }
      self.result = nil
      _ = downstream.receive(value)
      // The subscriber may have cancelled.
      guard self.downstream != nil else { return }
      self.downstream = nil
      downstream.receive(completion: .finished)
    case .failure(let failure):
      (self.downstream, self.result) = (nil, nil)
      downstream.receive(completion: .failure(failure))
    }
  }

  func cancel() { (downstream, result) = (nil, nil) }
}
