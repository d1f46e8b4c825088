import LiveCode

/// The run loop of the main thread.
public enum SimulatedMainLoop {
  /// Lets everything run that is enqueued, until nothing can go on or so much virtual time has
  /// passed. Called on the main thread, as `RunLoop.main.run(until:)`.
  public static func run(milliseconds: Int) {
    RunState.current.run.runMainLoop(milliseconds: milliseconds)
  }
}
