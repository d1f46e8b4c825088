/// The values of a publisher as a sequence of a task. It asks for one value at a time: what comes
/// while the task does something else is lost, unless the publisher keeps it.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
  /// The values.
  public typealias Element = P.Output
  private let publisher: P

  /// The values of this publisher.
  public init(_ publisher: P) { self.publisher = publisher }

  /// Subscribes.
  public func makeAsyncIterator() -> Iterator {
    let inlet = AsyncInlet<P.Output, P.Failure>()
    publisher.subscribe(inlet)
    return Iterator(inlet: inlet)
  }

  /// A subscription by a task.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let inlet: AsyncInlet<P.Output, P.Failure>

    /// The next value; nil at the end. Throws the failure.
    public mutating func next() async throws -> P.Output? { try await inlet.next() }
  }
}

/// The values of a publisher that does not fail, as a sequence of a task.
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
  /// The values.
  public typealias Element = P.Output
  private let publisher: P

  /// The values of this publisher.
  public init(_ publisher: P) { self.publisher = publisher }

  /// Subscribes.
  public func makeAsyncIterator() -> Iterator {
    let inlet = AsyncInlet<P.Output, Never>()
    publisher.subscribe(inlet)
    return Iterator(inlet: inlet)
  }

  /// A subscription by a task.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let inlet: AsyncInlet<P.Output, Never>

    /// The next value; nil at the end.
    public mutating func next() async -> P.Output? { try? await inlet.next() }
  }
}

extension Publisher where Failure == Never {
  /// The values as a sequence of a task.
  public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}

extension Publisher {
  /// The values as a sequence of a task, which throws the failure.
  @_disfavoredOverload public var values: AsyncThrowingPublisher<Self> {
    AsyncThrowingPublisher(self)
  }
}

/// The subscriber of a task. Letting go of the iterator cancels.
private final class AsyncInlet<Input, Failure: Error>: Subscriber, @unchecked Sendable {
  private let core = Core()

  /// The part that the publisher keeps.
  final class Core: @unchecked Sendable {
    var subscription: (any Subscription)?
    var continuation: CheckedContinuation<Handover, Never>?
    var demand = Subscribers.Demand.none
    var end: Subscribers.Completion<Failure>?
    var isOver = false
  }

  /// A result that goes to the task.
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
