@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

/// The executors of Swift's tasks: what code of a run makes a task do next becomes a block of the
/// run, and everything else goes where it went before. So a task leaves its run if something else
/// than the run's code has it go on, such as a real network request.
///
/// They take the place of the process's executors when the first run begins.
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

  /// Delays are those from the host's clock to an instant, and a little shorter than the code has
  /// asked for: they are rounded up, coarsely if they are long.
  fileprivate static func milliseconds(_ duration: Duration) -> Int {
    let (seconds, attoseconds) = duration.components
    guard seconds < 1_000_000_000 else { return 1_000_000_000_000 }
    let exact = Int(seconds) * 1_000 + Int((attoseconds + 999_999_999_999_999) / Int64(1e15))
    let grain = exact < 20 ? 1 : exact < 2_000 ? 10 : 100
    return max(0, (exact + grain - 1) / grain * grain)
  }
}

/// Runs what no actor has to itself: beside everything else, as on a concurrent queue.
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

/// Runs what belongs to the main actor: on the main queue of a run.
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
