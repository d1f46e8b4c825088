import LiveCode

/// Gives the Combine module access to the run of the calling code.
package enum RunOfCode {
  /// A Boolean value that indicates whether the run's main code has not ended. Repeating timers
  /// continue while it is true.
  package static var goesOn: Bool { RunState.current.run.isMainCodeRunning }

  /// Returns a number for a new instance of the run, from 1, or nil outside a run.
  package static func nextNumber() -> Int? {
    guard let state = RunState.ifRunning else { return nil }
    state.cancellableCount += 1
    return state.cancellableCount
  }

  /// Returns an object that the run keeps for each owner, or nil outside a run.
  package static func state<State: AnyObject>(
    of owner: AnyObject, _ make: () -> State
  ) -> State? {
    RunState.ifRunning?.state(of: owner, make)
  }
}
