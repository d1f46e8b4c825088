extension Publishers {
  /// A publisher that collects values in arrays of a given length.
  public struct CollectByCount<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = [Upstream.Output]
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let count: Int

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Bundle(subscriber, count))
    }
  }

  /// A publisher that keeps values until the subscriber requests them.
  public struct Buffer<Upstream: Publisher>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let size: Int
    let prefetch: PrefetchStrategy
    let whenFull: BufferingStrategy<Failure>

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Reservoir(subscriber, self))
    }
  }

  /// The demand of a buffer.
  public enum PrefetchStrategy: Sendable {
    /// The buffer requests as many values as it has room for.
    case keepFull
    /// The buffer requests all values.
    case byRequest
  }

  /// The way in which a full buffer handles a value.
  public enum BufferingStrategy<Failure: Error> {
    /// The buffer drops the new value.
    case dropNewest
    /// The buffer drops the oldest value.
    case dropOldest
    /// The publisher fails with an error.
    case customError(() -> Failure)
  }
}

/// A subscriber that collects values in arrays. For one array, it requests `count` values.
private final class Bundle<Input, Downstream: Subscriber>: Subscriber, Subscription, Placed
where Downstream.Input == [Input] {
  typealias Failure = Downstream.Failure
  private var downstream: Downstream?
  private var upstream: (any Subscription)?
  private var values: [Input] = []
  private let count: Int

  init(_ downstream: Downstream, _ count: Int) {
    (self.downstream, self.count) = (downstream, count)
  }

  var place: SourcePlace? { downstream.flatMap { SourcePlace.of($0) } }

  func receive(subscription: any Subscription) {
    guard let downstream, upstream == nil else { return subscription.cancel() }
    upstream = subscription
    downstream.receive(subscription: self)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    guard let downstream else { return .none }
    values.append(input)
    guard values.count == count else { return .none }
    let full = values
    values = []
    return downstream.receive(full) * count
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let rest = values
    values = []
    upstream = nil
    if case .finished = completion, !rest.isEmpty { _ = downstream?.receive(rest) }
    let downstream = downstream
    self.downstream = nil
    downstream?.receive(completion: completion)
  }

  func request(_ demand: Subscribers.Demand) { upstream?.request(demand * count) }

  func cancel() {
    let upstream = upstream
    (downstream, self.upstream, values) = (nil, nil, [])
    upstream?.cancel()
  }
}

/// A subscriber that keeps values until its own subscriber requests them.
private final class Reservoir<Upstream: Publisher, Downstream: Subscriber>: Subscriber,
  Subscription, Placed
where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure
  private var downstream: Downstream?
  private var upstream: (any Subscription)?
  private var values: [Input] = []
  private var demand = Subscribers.Demand.none
  private var end: Subscribers.Completion<Failure>?
  private var isFlushing = false
  private let settings: Publishers.Buffer<Upstream>

  init(_ downstream: Downstream, _ settings: Publishers.Buffer<Upstream>) {
    (self.downstream, self.settings) = (downstream, settings)
  }

  var place: SourcePlace? { downstream.flatMap { SourcePlace.of($0) } }

  func receive(subscription: any Subscription) {
    guard let downstream, upstream == nil else { return subscription.cancel() }
    upstream = subscription
    downstream.receive(subscription: self)
    switch settings.prefetch {
    case .keepFull: upstream?.request(.max(settings.size))
    case .byRequest: upstream?.request(.unlimited)
    }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    guard downstream != nil, end == nil else { return .none }
    if values.count >= settings.size {
      switch settings.whenFull {
      case .dropNewest: return .none
      case .dropOldest: if !values.isEmpty { values.removeFirst() }
      case .customError(let error):
        let upstream = upstream
        self.upstream = nil
        upstream?.cancel()
        end = .failure(error())
        flush()
        return .none
      }
    }
    values.append(input)
    flush()
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    guard end == nil else { return }
    (end, upstream) = (completion, nil)
    flush()
  }

  func request(_ demand: Subscribers.Demand) {
    self.demand += demand
    flush()
  }

  private func flush() {
    if isFlushing { return }
    isFlushing = true
    defer { isFlushing = false }
    while demand > 0, !values.isEmpty, let downstream {
      let value = values.removeFirst()
      demand -= 1
      demand += downstream.receive(value)
      if settings.prefetch == .keepFull { upstream?.request(.max(1)) }
    }
    if values.isEmpty, let end, let downstream {
      self.downstream = nil
      downstream.receive(completion: end)
    }
  }

  func cancel() {
    let upstream = upstream
    (downstream, self.upstream, values) = (nil, nil, [])
    upstream?.cancel()
  }
}

extension Publisher {
  /// Collects values in arrays of a given length. The last array may be shorter.
  public func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
    .init(upstream: self, count: count)
  }

  /// Keeps values until the subscriber requests them.
  public func buffer(
    size: Int, prefetch: Publishers.PrefetchStrategy,
    whenFull: Publishers.BufferingStrategy<Failure>
  ) -> Publishers.Buffer<Self> {
    .init(upstream: self, size: size, prefetch: prefetch, whenFull: whenFull)
  }
}
