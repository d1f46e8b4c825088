extension Publishers {
  /// A publisher of values that no other value follows within an interval.
  public struct Debounce<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let dueTime: Context.SchedulerTimeType.Stride
    let placedScheduler: PlacedScheduler<Context>

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Debouncing(subscriber, placedScheduler, dueTime))
    }
  }

  /// A publisher of at most one value in each interval.
  public struct Throttle<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let interval: Context.SchedulerTimeType.Stride
    let latest: Bool
    let placedScheduler: PlacedScheduler<Context>

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Throttling(subscriber, placedScheduler, interval, latest: latest))
    }
  }

  /// A publisher that ends if no value arrives within an interval.
  public struct Timeout<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The kind of values that the publisher publishes.
    public typealias Output = Upstream.Output
    /// The kind of errors that can end the publisher.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let interval: Context.SchedulerTimeType.Stride
    let error: (() -> Failure)?
    let placedScheduler: PlacedScheduler<Context>

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(TimeLimit(subscriber, placedScheduler, interval, error))
    }
  }
}

extension Publisher {
  /// Publishes a value if no other value follows within `dueTime`.
  public func debounce<S: Scheduler>(
    for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
    file: String = #fileID, line: Int = #line
  ) -> Publishers.Debounce<Self, S> {
    .init(
      upstream: self, dueTime: dueTime,
      placedScheduler: PlacedScheduler(scheduler, options, file, line))
  }

  /// Publishes a value immediately, then the newest or the first value of each interval.
  public func throttle<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool,
    file: String = #fileID, line: Int = #line
  ) -> Publishers.Throttle<Self, S> {
    .init(
      upstream: self, interval: interval, latest: latest,
      placedScheduler: PlacedScheduler(scheduler, nil, file, line))
  }

  /// Ends if no value arrives within an interval. Fails with the error of `customError`, if given.
  public func timeout<S: Scheduler>(
    _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
    customError: (() -> Failure)? = nil, file: String = #fileID, line: Int = #line
  ) -> Publishers.Timeout<Self, S> {
    .init(
      upstream: self, interval: interval, error: customError,
      placedScheduler: PlacedScheduler(scheduler, options, file, line))
  }
}
