import LiveCode
import SimulatedDispatch

/// The jobs that wait for the same resource, in order.
final class WaitingLine {
  private var gates: [Gate] = []

  var isEmpty: Bool { gates.isEmpty }

  /// Lets other code run, then waits unless `isOpen` returns true. Returns false if the time limit,
  /// in virtual milliseconds, expires first.
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

  /// Opens the gate of the first waiting job.
  func openFirst() { gates.removeFirst().open() }

  /// Opens the gates of all waiting jobs.
  func openAll() {
    let all = gates
    gates = []
    for gate in all { gate.open() }
  }
}

/// A gate that one job waits at until another job opens it or its time limit expires.
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

  /// Waits until the gate opens. Calls `onTimeout` if the time limit expires first.
  func pass(forMilliseconds limit: Int?, _ onTimeout: @escaping () -> Void = {}) {
    if let limit {
      run.enqueue(on: run.makeQueue(), afterMilliseconds: limit, origin: "") { [self] in
        guard !isOpen else { return }
        isTimedOut = true
        onTimeout()
        open()
      }
    }
    run.pass(queue)
  }
}
