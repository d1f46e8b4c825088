import Glibc

/// The run that each thread of the host is a part of. Jobs of tasks have the thread's, whatever
/// task-local values they have, so it is a value of the thread and not of the task.
enum CurrentRun {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let status = unsafe pthread_key_create(&key, nil)
    precondition(status == 0, "the host gives no more keys")
    return key
  }()

  /// Nil on a thread that is a part of none.
  static var value: LiveRun? {
    guard let pointer = unsafe pthread_getspecific(key) else { return nil }
    return unsafe Unmanaged<LiveRun>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Makes the calling thread a part of `run`, which outlives `body`.
  static func with<Result>(_ run: LiveRun, _ body: () -> Result) -> Result {
    let outer = unsafe pthread_getspecific(key)
    unsafe pthread_setspecific(key, Unmanaged.passUnretained(run).toOpaque())
    defer { unsafe pthread_setspecific(key, outer) }
    return body()
  }
}
