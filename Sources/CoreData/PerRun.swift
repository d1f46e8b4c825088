import LiveCode

/// What an instance keeps for the run that uses it. A queue or a lock may be made before a run and
/// outlive it, and runs that go on side by side share it: each has a state of its own, which begins
/// anew.
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
