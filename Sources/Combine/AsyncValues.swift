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
    let inlet = AsyncInlet<P.Output, P.Failure>()
    publisher.subscribe(inlet)
    return Iterator(inlet: inlet)
  }

  /// An iterator with a subscription to the publisher.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let inlet: AsyncInlet<P.Output, P.Failure>

    /// Returns the next value, or nil after the end. Throws the publisher's failure.
    public mutating func next() async throws -> P.Output? { try await inlet.next() }
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
    let inlet = AsyncInlet<P.Output, Never>()
    publisher.subscribe(inlet)
    return Iterator(inlet: inlet)
  }

  /// An iterator with a subscription to the publisher.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let inlet: AsyncInlet<P.Output, Never>

    /// Returns the next value, or nil after the end.
    public mutating func next() async -> P.Output? { try? await inlet.next() }
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

/// The subscriber of a task, whose deinitializer cancels the subscription.
private final class AsyncInlet<Input, Failure: Error>: Subscriber, @unchecked Sendable {
  private let core = Core()

  /// The state that the task's cancellation handler shares.
  final class Core: @unchecked Sendable {
    var subscription: (any Subscription)?
    var continuation: CheckedContinuation<Handover, Never>?
    var demand = Subscribers.Demand.none
    var end: Subscribers.Completion<Failure>?
    var isOver = false
  }

  /// A result for the waiting task.
  struct Handover: @unchecked Sendable {
    let result: Result<Input?, any Error>
  }

  let combineIdentifier = CombineIdentifier()

  deinit { core.subscription?.cancel() }

  func next() async throws -> Input? {
    let core = core
    if core.isOver { return nil }
    let handover = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if let end = core.end {
          core.isOver = true
          return continuation.resume(returning: AsyncInlet.handover(end))
        }
        core.continuation = continuation
        if let subscription = core.subscription {
          subscription.request(.max(1))
        } else {
          core.demand += 1
        }
      }
    } onCancel: {
      core.isOver = true
      let last = (core.subscription, core.continuation)
      (core.subscription, core.continuation) = (nil, nil)
      last.0?.cancel()
      last.1?.resume(returning: Handover(result: .success(nil)))
    }
    return try handover.result.get()
  }

  private static func handover(_ end: Subscribers.Completion<Failure>) -> Handover {
    switch end {
    case .finished: Handover(result: .success(nil))
    case .failure(let error): Handover(result: .failure(error))
    }
  }

  func receive(subscription: any Subscription) {
    guard core.subscription == nil, !core.isOver else { return subscription.cancel() }
    core.subscription = subscription
    if core.demand > 0 { subscription.request(core.demand) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    let continuation = core.continuation
    core.continuation = nil
    continuation?.resume(returning: Handover(result: .success(input)))
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    core.subscription = nil
    guard let continuation = core.continuation else {
      core.end = completion
      return
    }
    core.continuation = nil
    core.isOver = true
    continuation.resume(returning: AsyncInlet.handover(completion))
  }
}
