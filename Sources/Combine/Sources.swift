/// Has one value.
public struct Just<Output>: Publisher {
  /// It does not fail.
  public typealias Failure = Never
  /// The value.
  public let output: Output

  /// A publisher of this value.
  public init(_ output: Output) { self.output = output }

  /// Attaches a subscriber.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    subscriber.receive(subscription: Single(.success(output), subscriber))
  }
}

extension Just: Equatable where Output: Equatable {}
extension Just: Sendable where Output: Sendable {}

/// Has no value.
public struct Empty<Output, Failure: Error>: Publisher, Equatable, Sendable {
  /// True if it ends at once.
  public let completeImmediately: Bool

  /// A publisher that ends at once, or never.
  public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }

  /// Makes a publisher of given types that ends at once, or never.
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

/// Fails at once.
public struct Fail<Output, Failure: Error>: Publisher {
  /// How it fails.
  public let error: Failure

  /// A publisher that fails so.
  public init(error: Failure) { self.error = error }

  /// Makes a publisher of a given type of values that fails at once.
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

/// Makes a publisher for each subscriber.
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
  /// The publisher's.
  public typealias Output = DeferredPublisher.Output
  /// The publisher's.
  public typealias Failure = DeferredPublisher.Failure
  /// Makes one.
  public let createPublisher: () -> DeferredPublisher

  /// A publisher of what the closure makes.
  public init(createPublisher: @escaping () -> DeferredPublisher) {
    self.createPublisher = createPublisher
  }

  /// Attaches a subscriber.
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure { createPublisher().subscribe(subscriber) }
}

/// Runs a closure at once, and has one value when the closure's promise is kept.
public final class Future<Output, Failure: Error>: Publisher, @unchecked Sendable {
  /// Takes the result from the closure; only the first call counts.
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
  /// The value, once it is there.
  public var value: Output {
    get async {
      switch await settled {
      case .success(let value): value
      }
    }
  }
}

extension Future {
  /// The value, once it is there; throws the failure.
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

  /// A result that goes to a task: of a run, only one thread runs.
  private struct Settled: @unchecked Sendable {
    let result: Result<Output, Failure>
  }
}

/// The subscription to a single result, which may be there already.
final class Single<Downstream: Subscriber>: Subscription {
  private var downstream: Downstream?
  private var result: Result<Downstream.Input, Downstream.Failure>?
  private var isAsked = false

  init(_ result: Result<Downstream.Input, Downstream.Failure>?, _ downstream: Downstream) {
    (self.result, self.downstream) = (result, downstream)
  }

  /// Hands itself over; a failure that is known needs no demand.
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
      // It may have cancelled.
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
