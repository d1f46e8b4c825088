/// A scheduler of the run. All its ways to schedule lead to the one that names a place.
public protocol SimulatedScheduler: Scheduler {}

extension SimulatedScheduler {
  /// No tolerance: virtual time is exact.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  /// Enqueues `action`.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    schedule(at: .scheduled, after: nil, options: options, action)
  }

  /// Enqueues `action` once the time has come.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) { schedule(at: .scheduled, after: date, options: options, action) }

  /// Enqueues `action` again and again. It ends with the code that the run was begun with: no run
  /// would end otherwise.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    Repetition(self, interval: max(interval, .milliseconds(1)), options, action).begin(at: date)
  }
}
