import LiveCode

/// The run that the calling code is a part of, for module Combine.
package enum RunOfCode {
  /// The code that the run was begun with has not ended: timers that repeat go on.
  package static var goesOn: Bool { RunState.current.run.isMainCodeRunning }

  /// A number for each new instance of the run, from 1; nil outside of a run.
  package static func nextNumber() -> Int? {
    guard let state = RunState.ifRunning else { return nil }
    state.cancellableCount += 1
    return state.cancellableCount
  }

  /// An object that the run has once for each owner; nil outside of a run.
  package static func state<State: AnyObject>(
    of owner: AnyObject, _ make: () -> State
  ) -> State? {
    RunState.ifRunning?.state(of: owner, make)
  }
}
