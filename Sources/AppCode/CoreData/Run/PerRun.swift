import LiveCode

/// The state that an instance keeps separately for each run. A queue or a lock may be created
/// before a run, outlive it, and be shared by concurrent runs. Each run begins with new state.
final class PerRun<State: AnyObject> {
  private let make: () -> State

  init(_ make: @escaping () -> State) { self.make = make }

  var current: State { RunState.current.state(of: self, make) }
}

extension RunState {
  func state<State: AnyObject>(of owner: AnyObject, _ make: () -> State) -> State {
    let key = ObjectIdentifier(owner)
    if let state = states[key]?.state as? State { return state }
    let state = make()
    states[key] = (owner, state)
    return state
  }
}
