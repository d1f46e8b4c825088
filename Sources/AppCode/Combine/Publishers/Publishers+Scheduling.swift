extension Publishers {
  /// A publisher that delivers values and the end on a scheduler.
  public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let placedScheduler: PlacedScheduler<Context>

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Relocation(subscriber, placedScheduler))
    }
  }

  /// A publisher that delivers values and the end on a scheduler after an interval.
  public struct Delay<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let interval: Context.SchedulerTimeType.Stride
    let placedScheduler: PlacedScheduler<Context>

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Relocation(subscriber, placedScheduler, after: interval))
    }
  }

  /// A publisher that subscribes, requests values and cancels on a scheduler.
  public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let placedScheduler: PlacedScheduler<Context>

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let (upstream, subscription) = (upstream, ScheduledSubscription(subscriber, placedScheduler))
      placedScheduler.schedule(at: SourcePlace.of(subscriber)) { upstream.subscribe(subscription) }
    }
  }
}

/// A subscriber that requests values and cancels on a scheduler.
private final class ScheduledSubscription<Context: Scheduler, Downstream: Subscriber>: Subscriber,
  Subscription,
  Placed
{
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure
  private var downstream: Downstream?
  private var upstream: (any Subscription)?
  private let placedScheduler: PlacedScheduler<Context>

  init(_ downstream: Downstream, _ placedScheduler: PlacedScheduler<Context>) {
    (self.downstream, self.placedScheduler) = (downstream, placedScheduler)
  }

  var place: SourcePlace? { downstream.flatMap { SourcePlace.of($0) } }

  func receive(subscription: any Subscription) {
    guard let downstream, upstream == nil else { return subscription.cancel() }
    upstream = subscription
    downstream.receive(subscription: self)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    let more = downstream?.receive(input) ?? .none
    if more > 0 { request(more) }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let downstream = downstream
    (self.downstream, upstream) = (nil, nil)
    downstream?.receive(completion: completion)
  }

  func request(_ demand: Subscribers.Demand) {
    placedScheduler.schedule(at: place) { [self] in upstream?.request(demand) }
  }

  func cancel() {
    guard let upstream else { return }
    let place = place
    (downstream, self.upstream) = (nil, nil)
    placedScheduler.schedule(at: place) { upstream.cancel() }
  }
}

extension Publisher {
  /// Delivers each value and the end on a scheduler, in separate blocks. Reports name a block by
  /// the closure of `sink`, or without one by the given file and line.
  public func receive<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil, file: String = #fileID,
    line: Int = #line
  ) -> Publishers.ReceiveOn<Self, S> {
    .init(upstream: self, placedScheduler: PlacedScheduler(scheduler, options, file, line))
  }

  /// Delivers each value and the end on a scheduler after an interval.
  public func delay<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil,
    scheduler: S, options: S.SchedulerOptions? = nil, file: String = #fileID, line: Int = #line
  ) -> Publishers.Delay<Self, S> {
    .init(
      upstream: self, interval: interval,
      placedScheduler: PlacedScheduler(scheduler, options, file, line))
  }

  /// Subscribes, requests values and cancels on a scheduler.
  public func subscribe<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil, file: String = #fileID,
    line: Int = #line
  ) -> Publishers.SubscribeOn<Self, S> {
    .init(upstream: self, placedScheduler: PlacedScheduler(scheduler, options, file, line))
  }
}
