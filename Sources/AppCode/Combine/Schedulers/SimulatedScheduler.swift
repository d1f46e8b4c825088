/// A scheduler of the run. All methods that schedule closures call the method with a place.
public protocol SimulatedScheduler: Scheduler {}

extension SimulatedScheduler {
  /// The empty interval, because virtual time is exact.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  /// Enqueues `action`.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    schedule(at: .scheduled, after: nil, options: options, action)
  }

  /// Enqueues `action` at a given time.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) { schedule(at: .scheduled, after: date, options: options, action) }

  /// Enqueues `action` repeatedly, until the result is cancelled or the main code of the run
  /// returns. Otherwise the run would not end.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    Repetition(self, interval: max(interval, .milliseconds(1)), options, action).begin(at: date)
  }
}
