extension Publishers {
  /// Has arrays of so many values.
  public struct CollectByCount<Upstream: Publisher>: Publisher {
    /// The arrays.
    public typealias Output = [Upstream.Output]
    /// The failures.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let count: Int

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Bundle(subscriber, count))
    }
  }

  /// Keeps values for which the subscriber has not asked yet.
  public struct Buffer<Upstream: Publisher>: Publisher {
    /// The values.
    public typealias Output = Upstream.Output
    /// The failures.
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

  /// How a buffer asks its publisher for values.
  public enum PrefetchStrategy: Sendable {
    /// For as many as it has room for.
    case keepFull
    /// For all.
    case byRequest
  }

  /// How a full buffer treats a value.
  public enum BufferingStrategy<Failure: Error> {
    /// Leaves it out.
    case dropNewest
    /// Leaves the oldest out.
    case dropOldest
    /// Fails.
    case customError(() -> Failure)
  }
}

/// Collects so many values: one array asked for is so many values asked for.
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

/// Keeps values until the subscriber asks for them.
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
  /// Has arrays of so many values; the last one may be shorter.
  public func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
    .init(upstream: self, count: count)
  }

  /// Keeps values for which the subscriber has not asked yet.
  public func buffer(
    size: Int, prefetch: Publishers.PrefetchStrategy,
    whenFull: Publishers.BufferingStrategy<Failure>
  ) -> Publishers.Buffer<Self> {
    .init(upstream: self, size: size, prefetch: prefetch, whenFull: whenFull)
  }
}
