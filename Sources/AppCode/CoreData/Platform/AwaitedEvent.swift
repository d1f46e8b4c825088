import LiveCode

/// An event that other code signals, and for which a test waits.
///
/// The wait ends with the signal, as Apple's waits do. The schedule decides which other queues run
/// before the test goes on. In order, all of them do, for a millisecond of virtual time.
package final class AwaitedEvent: @unchecked Sendable {
  private var isSignaled = false
  private var resume: () -> Void = {}

  /// Creates an event that has not happened.
  package init() {}

  /// Ends the wait. Further calls have no effect.
  package func signal() {
    if isSignaled { return }
    isSignaled = true
    resume()
  }

  /// Runs the main run loop until the signal, or until a time limit in virtual milliseconds.
  package func wait(forMilliseconds limit: Int) {
    if isSignaled { return }
    let run = RunState.current.run
    let gate = Gate(run)
    resume = gate.open
    run.runMainLoop { gate.pass(forMilliseconds: limit) }
    if isSignaled, run.isInOrder { run.runMainLoop(milliseconds: 1) }
  }

  /// Suspends the task until the signal, a cancellation, or a time limit in virtual milliseconds.
  package nonisolated(nonsending) func suspendTask(forMilliseconds limit: Int) async {
    if isSignaled { return }
    let run = RunState.current.run
    let nap = SimulatedTasks.Nap()
    resume = { nap.end() }
    await nap.last(milliseconds: limit)
    if isSignaled, run.isInOrder { await SimulatedTasks.Nap().last(milliseconds: 1) }
  }
}
