import Glibc
import Synchronization
import SimulatedDispatch
import Vocabulary

/// Simulated calls outside of runs: in a deinitializer after a test, in a class's `setUp`, when the
/// process ends.
extension LiveRun {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let status = unsafe pthread_key_create(&key, nil)
    precondition(status == 0, "the host gives no more keys")
    return key
  }()

  /// The run of the calling thread for code outside of runs: all lanes go on in order, and nothing
  /// is checked. It lasts as long as the thread.
  package static var outside: LiveRun {
    if let pointer = unsafe pthread_getspecific(key) {
      return unsafe Unmanaged<LiveRun>.fromOpaque(pointer).takeUnretainedValue()
    }
    let run = LiveRun(policy: .inOrder, quirks: Profile.current.quirks, threads: ThreadPool())
    run.beginOnCallingThread()
    unsafe pthread_setspecific(key, Unmanaged.passRetained(run).toOpaque())
    return run
  }

  private static let isNoted = Atomic(false)

  /// Says, once, that Core Data is used outside of runs: a test that was not prepared would pass in
  /// all orders, because it is run in one.
  func noteOutside() {
    guard isOutside, !LiveRun.isNoted.exchange(true, ordering: .relaxed) else { return }
    let text =
      "note: Core Data is used outside of a run, in order and unchecked: by code that follows a test, "
      + "or by a test whose target does not have the plugin FaultlinePrepare\n"
    ErrorOutput.write(text)
  }
}
