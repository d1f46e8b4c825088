extension Publishers {
  /// Has a value when none has come after it for a while.
  public struct Debounce<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The values.
    public typealias Output = Upstream.Output
    /// The failures.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let dueTime: Context.SchedulerTimeType.Stride
    let spot: Spot<Context>

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Debouncing(subscriber, spot, dueTime))
    }
  }

  /// Has at most one value in each interval.
  public struct Throttle<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The values.
    public typealias Output = Upstream.Output
    /// The failures.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let interval: Context.SchedulerTimeType.Stride
    let latest: Bool
    let spot: Spot<Context>

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Throttling(subscriber, spot, interval, latest: latest))
    }
  }

  /// Ends when no value has come for a while.
  public struct Timeout<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The values.
    public typealias Output = Upstream.Output
    /// The failures.
    public typealias Failure = Upstream.Failure
    let upstream: Upstream
    let interval: Context.SchedulerTimeType.Stride
    let error: (() -> Failure)?
    let spot: Spot<Context>

    /// Attaches a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(TimeLimit(subscriber, spot, interval, error))
    }
  }
}

extension Publisher {
  /// Has a value when none has come after it for so long.
  public func debounce<S: Scheduler>(
    for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
    file: String = #fileID, line: Int = #line
  ) -> Publishers.Debounce<Self, S> {
    .init(upstream: self, dueTime: dueTime, spot: Spot(scheduler, options, file, line))
  }

  /// Has a value at once, then the newest or the first of each interval.
  public func throttle<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool,
    file: String = #fileID, line: Int = #line
  ) -> Publishers.Throttle<Self, S> {
    .init(
      upstream: self, interval: interval, latest: latest,
      spot: Spot(scheduler, nil, file, line))
  }

  /// Ends when no value has come for so long: with an error if the closure makes one.
  public func timeout<S: Scheduler>(
    _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
    customError: (() -> Failure)? = nil, file: String = #fileID, line: Int = #line
  ) -> Publishers.Timeout<Self, S> {
    .init(
      upstream: self, interval: interval, error: customError,
      spot: Spot(scheduler, options, file, line))
  }
}
