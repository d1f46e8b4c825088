import Glibc

/// The run to which each thread of the host belongs. A job belongs to the run of its thread,
/// whatever task-local values its task has. So the run is a thread-specific value, not a task-local
/// one.
enum CurrentRun {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let status = unsafe pthread_key_create(&key, nil)
    precondition(status == 0, "the host gives no more keys")
    return key
  }()

  /// The run of the calling thread, or nil if the thread belongs to no run.
  static var value: LiveRun? {
    guard let pointer = unsafe pthread_getspecific(key) else { return nil }
    return unsafe Unmanaged<LiveRun>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Makes the calling thread a part of `run` while `body` runs. `run` must outlive `body`.
  static func with<Result>(_ run: LiveRun, _ body: () -> Result) -> Result {
    let outer = unsafe pthread_getspecific(key)
    unsafe pthread_setspecific(key, Unmanaged.passUnretained(run).toOpaque())
    defer { unsafe pthread_setspecific(key, outer) }
    return body()
  }
}
