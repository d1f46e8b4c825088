import LiveCode

/// The run loop of the main thread.
public enum SimulatedMainLoop {
  /// Lets all enqueued code run while the given virtual time passes. Called on the main thread, as
  /// `RunLoop.main.run(until:)`.
  public static func run(milliseconds: Int) {
    RunState.current.run.runMainLoop(milliseconds: milliseconds)
  }

  /// Runs a task, and lets all other code run, until the task has ended. Called on the main thread.
  public static func run(_ task: @escaping () async throws -> Void) throws {
    try RunState.current.run.wait(for: task)
  }
}
