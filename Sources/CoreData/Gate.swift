import LiveCode
import SimulatedDispatch

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
