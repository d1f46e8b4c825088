import Glibc

/// Ends a run, and not the process, when the run's code causes a signal.
///
/// Failed checks of Swift execute an illegal instruction, and the host sends a signal to the thread
/// that caused it. Code of a run has a separate thread, so only this thread ends, in the middle of
/// its code. Memory that the thread holds is lost, as in a deadlock.
enum SignalGuard {
  static let illegalInstruction = SIGILL
  static let breakpoint = SIGTRAP
  static let segmentationFault = SIGSEGV
  static let busError = SIGBUS
  static let abort = SIGABRT
  /// The signal by which a run ends a thread that does not return.
  private static let interruption = SIGUSR2
  private static let guarded = [
    illegalInstruction, breakpoint, segmentationFault, busError, abort, SIGFPE,
  ]

  /// Installs the signal handlers of the process. Signals of threads that belong to no run are
  /// passed to the previous handlers.
  static func install() { _ = installed }

  private static let installed: Void = {
    // First calls allocate memory, which a signal handler must not.
    SignalStack.prepare()
    _ = (CurrentRun.value, PooledThread.current, systemCall)
    for signal in guarded {
      var action = sigaction()
      unsafe action.__sigaction_handler.sa_handler = { SignalGuard.handle($0) }
      action.sa_flags = SA_ONSTACK
      unsafe sigaction(signal, &action, previous + Int(signal))
    }
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = { _ in
      if PooledThread.current != nil { SignalGuard.endThread() }
    }
    action.sa_flags = SA_ONSTACK
    unsafe sigaction(interruption, &action, nil)
  }()

  /// The previous actions, indexed by signal.
  private nonisolated(unsafe) static let previous: UnsafeMutablePointer<sigaction> = {
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
    unsafe actions.initialize(repeating: sigaction(), count: 65)
    return unsafe actions
  }()

  /// Handles a signal. Allocates nothing and takes no lock, because the signal may have interrupted
  /// an allocation or the owner of a lock.
  private static func handle(_ signal: Int32) {
    guard let thread = PooledThread.current, let run = CurrentRun.value, run.trap == nil else {
      // The instruction runs again, and its signal meets the previous action.
      ErrorOutput.release()
      unsafe sigaction(signal, previous + Int(signal), nil)
      return
    }
    thread.signalStack?.noteFrames()
    run.endBySignal(signal)
    endThread()
  }

  /// Ends a thread of a run that does not return.
  static func interrupt(_ thread: pthread_t) { pthread_kill(thread, interruption) }

  // MARK: Ending a thread

  // Glibc's module does not declare the function or its numbers.
  private static let systemCall = unsafe unsafeBitCast(
    dlsym(nil, "syscall"), to: (@convention(c) (Int, Int) -> Int)?.self)

  #if arch(x86_64)
    private static let exitNumber = 60
  #else
    private static let exitNumber = 93
  #endif

  /// Ends the calling thread without unwinding its stack, which may be damaged. `pthread_exit`
  /// would unwind it.
  private static func endThread() -> Never {
    while true { _ = systemCall?(exitNumber, 0) }
  }
}
