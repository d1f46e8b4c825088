@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

/// The executors of Swift's tasks. Jobs that code of a run enqueues become a `Job` of the run, and
/// all other jobs go to the original executors. So a task leaves its run if something outside of
/// the run resumes it, such as a real network request.
///
/// They replace the executors of the process when the first run begins.
enum TaskExecutors {
  static func install() { _ = installed }

  private static let installed: Void = {
    _ = (GlobalExecutor.shared, MainThreadExecutor.shared)
    _createExecutors(factory: Factory.self)
  }()

  private struct Factory: ExecutorFactory {
    static var mainExecutor: any MainExecutor { MainThreadExecutor.shared }
    static var defaultExecutor: any TaskExecutor { GlobalExecutor.shared }
  }

  /// Returns a delay in milliseconds, rounded up, and coarsely if it is long. Swift computes delays
  /// from the current time to an instant, so that they are slightly shorter than the code
  /// requested.
  fileprivate static func milliseconds(_ duration: Duration) -> Int {
    let (seconds, attoseconds) = duration.components
    guard seconds < 1_000_000_000 else { return 1_000_000_000_000 }
    let exact = Int(seconds) * 1_000 + Int((attoseconds + 999_999_999_999_999) / Int64(1e15))
    let grain = exact < 20 ? 1 : exact < 2_000 ? 10 : 100
    return max(0, (exact + grain - 1) / grain * grain)
  }
}

/// Runs jobs that belong to no actor, concurrently with all other code.
private final class GlobalExecutor: TaskExecutor, SchedulingExecutor {
  static let shared = GlobalExecutor()
  private let original = Task.defaultExecutor

  func enqueue(_ job: consuming ExecutorJob) {
    guard let run = LiveRun.current else { return original.enqueue(job) }
    run.enqueue(UnownedJob(job))
  }

  var asSchedulingExecutor: (any SchedulingExecutor)? { self }

  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
  ) {
    guard let run = LiveRun.current, let duration = delay as? Duration else {
      guard let scheduling = original as? any SchedulingExecutor else {
        preconditionFailure("the process's executor of tasks knows no delays")
      }
      return scheduling.enqueue(job, after: delay, tolerance: tolerance, clock: clock)
    }
    run.enqueue(UnownedJob(job), afterMilliseconds: TaskExecutors.milliseconds(duration))
  }
}

/// Runs jobs of the main actor on the main queue of a run.
private final class MainThreadExecutor: MainExecutor {
  static let shared = MainThreadExecutor()
  private let original = MainActor.executor

  func enqueue(_ job: consuming ExecutorJob) {
    guard let run = LiveRun.current else { return original.enqueue(job) }
    unsafe run.enqueueOnMainQueue(UnownedJob(job), as: MainActor.sharedUnownedExecutor)
  }

  func run() throws { try original.run() }

  func stop() { original.stop() }

  func checkIsolated() {
    guard let run = LiveRun.current else { return original.checkIsolated() }
    precondition(run.isOnMainThread, "code of the main actor runs on another thread")
  }
}
