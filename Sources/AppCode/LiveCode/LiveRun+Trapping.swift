import Execution
import SimulatedCoreData
import SimulatedDispatch
import Synchronization

/// Code that does not return.
extension LiveRun {
  /// A Boolean value that indicates whether the initializer of a static or global variable of the
  /// process has trapped.
  private static let hasTrappedInitializer = Atomic(false)

  /// Ends the run because the calling code stops with a message.
  package func trap(_ message: String) -> Never {
    let stack = PooledThread.current?.signalStack
    stack?.noteFrames()
    note(.stopped(message), isInInitializer: stack?.wasInitializing ?? false)
    over.give()
    PooledThread.endCurrent()
  }

  /// A Boolean value that indicates whether the calling code can end the run.
  package var canTrap: Bool { PooledThread.current != nil && trap == nil }

  /// Records that a signal to the calling thread ended the run. Allocates nothing.
  func endBySignal(_ number: Int32) {
    signal = number
    over.give()
  }

  /// Waits, on the thread that began the run, until the run is over.
  func awaitEnd() {
    var (turns, seconds) = (turnCount, 0)
    while !over.waitForASecond() {
      seconds = turnCount == turns ? seconds + 1 : 0
      turns = turnCount
      // Code that waits for a trapped initializer never continues, so a short wait is enough.
      let limit = LiveRun.hasTrappedInitializer.load(ordering: .relaxed) ? 2 : patience
      if seconds >= limit, let thread = running.thread {
        note(.unresponsive(seconds: seconds))
        return SignalGuard.interrupt(thread.id)
      }
    }
    guard let number = signal else { return }
    signal = nil
    note(
      .signal(number, message: ErrorOutput.takeFatalError()),
      isInInitializer: running.thread?.signalStack?.wasInitializing ?? false)
  }

  private func note(_ reason: Trap.Reason, isInInitializer: Bool = false) {
    trap = Trap(
      reason: reason, place: running.origin, thread: nameOfThread,
      isInInitializer: isInInitializer)
    if isInInitializer { LiveRun.hasTrappedInitializer.store(true, ordering: .relaxed) }
    if stop == nil { stop = .trap }
    wasPerforming = isPerforming
    unsafe worldInHook = nil
  }

  /// The name of the simulated thread that runs the running job.
  private var nameOfThread: String {
    guard let lane = running.lane, !isOver else { return "the main thread" }
    return withWorld { world in
      // Each block of a concurrent queue and each job of a task has an unnamed queue.
      let isNamed = world.dispatcher.queue(of: lane).map { !world.name(of: $0).hasPrefix("queue ") }
      return isNamed ?? true ? world.name(of: lane) : "a block of a concurrent queue, or a task"
    }
  }
}
