import LiveCode

/// The run loop of the main thread.
public enum SimulatedMainLoop {
  /// Lets everything run that is enqueued, until nothing can go on or so much virtual time has
  /// passed. Called on the main thread, as `RunLoop.main.run(until:)`.
  public static func run(milliseconds: Int) {
    RunState.current.run.runMainLoop(milliseconds: milliseconds)
  }

  /// Runs a task, and lets everything go on until it has ended. Called on the main thread.
  public static func run(_ task: @escaping () async throws -> Void) throws {
    try RunState.current.run.wait(for: task)
  }
}
