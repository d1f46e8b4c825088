/// The values of a publisher as an asynchronous sequence. It requests one value at a time. A value
/// that arrives while the task does something else is lost, unless the publisher keeps it.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
  /// The kind of elements in the sequence.
  public typealias Element = P.Output
  private let publisher: P

  /// Creates a sequence of the publisher's values.
  public init(_ publisher: P) { self.publisher = publisher }

  /// Subscribes to the publisher.
  public func makeAsyncIterator() -> Iterator {
    let values = AsyncValues<P.Output, P.Failure>()
    publisher.subscribe(values.subscriber)
    return Iterator(values: values)
  }

  /// An iterator with a subscription to the publisher.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let values: AsyncValues<P.Output, P.Failure>

    /// Returns the next value, or nil after the end. Throws the publisher's failure.
    public mutating func next() async throws -> P.Output? { try await values.next() }
  }
}

/// The values of a publisher that never fails, as an asynchronous sequence.
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
  /// The kind of elements in the sequence.
  public typealias Element = P.Output
  private let publisher: P

  /// Creates a sequence of the publisher's values.
  public init(_ publisher: P) { self.publisher = publisher }

  /// Subscribes to the publisher.
  public func makeAsyncIterator() -> Iterator {
    let values = AsyncValues<P.Output, Never>()
    publisher.subscribe(values.subscriber)
    return Iterator(values: values)
  }

  /// An iterator with a subscription to the publisher.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let values: AsyncValues<P.Output, Never>

    /// Returns the next value, or nil after the end.
    public mutating func next() async -> P.Output? { try? await values.next() }
  }
}

extension Publisher where Failure == Never {
  /// The values as an asynchronous sequence.
  public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}

extension Publisher {
  /// The values as an asynchronous sequence that throws the publisher's failure.
  @_disfavoredOverload public var values: AsyncThrowingPublisher<Self> {
    AsyncThrowingPublisher(self)
  }
}

/// The subscription of a task. Its deinitializer cancels, because the publisher holds only the
/// subscriber.
private final class AsyncValues<Input, Failure: Error>: @unchecked Sendable {
  let subscriber = AsyncSubscriber<Input, Failure>()

  deinit { subscriber.cancel() }

  func next() async throws -> Input? {
    let subscriber = subscriber
    if subscriber.isOver { return nil }
    let handover = await withTaskCancellationHandler {
      await withCheckedContinuation { subscriber.request($0) }
    } onCancel: {
      subscriber.cancel()
    }
    return try handover.result.get()
  }
}

/// The subscriber of a task, which hands each value to the waiting task.
private final class AsyncSubscriber<Input, Failure: Error>: Subscriber, @unchecked Sendable {
  /// A result for the waiting task.
  struct Handover: @unchecked Sendable {
    let result: Result<Input?, any Error>
  }

  let combineIdentifier = CombineIdentifier()
  private(set) var isOver = false
  private var subscription: (any Subscription)?
  private var continuation: CheckedContinuation<Handover, Never>?
  private var demand = Subscribers.Demand.none
  private var end: Subscribers.Completion<Failure>?

  /// Requests a value for the waiting task.
  func request(_ continuation: CheckedContinuation<Handover, Never>) {
    if let end {
      isOver = true
      return continuation.resume(returning: handover(end))
    }
    self.continuation = continuation
    if let subscription {
      subscription.request(.max(1))
    } else {
      demand += 1
    }
  }

  /// Cancels the subscription, and ends the sequence of a waiting task.
  func cancel() {
    isOver = true
    let last = (subscription, continuation)
    (subscription, continuation) = (nil, nil)
    last.0?.cancel()
    last.1?.resume(returning: Handover(result: .success(nil)))
  }

  private func handover(_ end: Subscribers.Completion<Failure>) -> Handover {
    switch end {
    case .finished: Handover(result: .success(nil))
    case .failure(let error): Handover(result: .failure(error))
    }
  }

  func receive(subscription: any Subscription) {
    guard self.subscription == nil, !isOver else { return subscription.cancel() }
    self.subscription = subscription
    if demand > 0 { subscription.request(demand) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    let continuation = continuation
    self.continuation = nil
    continuation?.resume(returning: Handover(result: .success(input)))
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    subscription = nil
    guard let continuation else {
      end = completion
      return
    }
    self.continuation = nil
    isOver = true
    continuation.resume(returning: handover(completion))
  }
}
