import LiveCode
import SimulatedDispatch

/// The pieces of code that wait for something, in order.
final class WaitingLine {
  private var gates: [Gate] = []

  var isEmpty: Bool { gates.isEmpty }

  /// Lets other code run, and waits unless `isOpen` holds then; false if the time limit, in virtual
  /// milliseconds, was over first.
  func wait(forMilliseconds limit: Int?, unless isOpen: () -> Bool) -> Bool {
    let run = RunState.current.run
    if !run.isInHook { run.yield() }
    if isOpen() { return true }
    if limit == 0 { return false }
    let gate = Gate(run)
    gates.append(gate)
    gate.pass(forMilliseconds: limit) { self.gates.removeAll { $0 === gate } }
    return !gate.isTimedOut
  }

  /// Lets the first go on.
  func openFirst() { gates.removeFirst().open() }

  /// Lets all go on.
  func openAll() {
    let all = gates
    gates = []
    for gate in all { gate.open() }
  }
}

/// What one piece of code waits at until another opens it, or until its time is over.
final class Gate {
  private let run: LiveRun
  private let queue: QueueID
  private var isOpen = false
  private(set) var isTimedOut = false

  init(_ run: LiveRun) {
    self.run = run
    queue = run.makeGate()
  }

  func open() {
    guard !isOpen else { return }
    isOpen = true
    run.open(queue)
  }

  /// Waits. `giveUp` is called if the time is over first.
  func pass(forMilliseconds limit: Int?, _ giveUp: @escaping () -> Void = {}) {
    if let limit {
      run.enqueue(on: run.makeQueue(), afterMilliseconds: limit, origin: "") { [self] in
        guard !isOpen else { return }
        isTimedOut = true
        giveUp()
        open()
      }
    }
    run.pass(queue)
  }
}
