import Glibc
import Synchronization
import SimulatedDispatch
import Vocabulary

/// Simulated calls outside of runs, such as in a deinitializer after a test, in a class's `setUp`,
/// or when the process ends.
extension LiveRun {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let status = unsafe pthread_key_create(&key, nil)
    precondition(status == 0, "the host gives no more keys")
    return key
  }()

  /// The run for code of the calling thread that belongs to no run. Its lanes run in order, and no
  /// failure is reported. The run begins at first use and never ends.
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

  /// Prints a note, once, that Core Data is used outside of runs. A test that was not prepared
  /// would seem to pass in all orders, although it ran in one.
  func noteOutside() {
    guard isOutside, !LiveRun.isNoted.exchange(true, ordering: .relaxed) else { return }
    let text =
      "note: code uses Core Data outside of a run, where it runs in order and is not checked. The code "
      + "follows a test, or the target of the test does not use the plugin FaultlinePrepare\n"
    ErrorOutput.write(text)
  }
}
