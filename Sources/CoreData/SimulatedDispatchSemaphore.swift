import LiveCode
import SimulatedDispatch

/// A count for which code waits: takes the place of `DispatchSemaphore`.
public final class SimulatedDispatchSemaphore: @unchecked Sendable {
  private var count: Int
  /// Those that wait, in order.
  private var gates: [QueueID] = []

  /// A semaphore that lets so many pass.
  public init(value: Int) {
    precondition(value >= 0, "a semaphore that begins below 0")
    count = value
  }

  /// Waits until the count is above 0, and takes one of it. There is no time limit: code that
  /// waits for ever is reported.
  public func wait() {
    let run = RunState.current.run
    run.yield()
    if count > 0 {
      count -= 1
      return
    }
    let gate = run.makeGate()
    gates.append(gate)
    run.pass(gate)
  }

  /// Adds one to the count, or lets the first of those go on that wait; whether there was one.
  @discardableResult
  public func signal() -> Int {
    guard !gates.isEmpty else {
      count += 1
      return 0
    }
    RunState.current.run.open(gates.removeFirst())
    return 1
  }
}

/// Work that ends together: takes the place of `DispatchGroup`.
public final class SimulatedDispatchGroup: @unchecked Sendable {
  private var count = 0
  private var gates: [QueueID] = []
  private var blocks: [() -> Void] = []

  /// A group without work.
  public init() {}

  /// Begins a piece of work.
  public func enter() { count += 1 }

  /// Ends one.
  public func leave() {
    guard count > 0 else { misuse("a group is left more often than it was entered") }
    count -= 1
    guard count == 0 else { return }
    let (waiting, blocks) = (gates, blocks)
    (gates, self.blocks) = ([], [])
    for gate in waiting { RunState.current.run.open(gate) }
    for block in blocks { block() }
  }

  /// Waits until all work has ended.
  public func wait() {
    let run = RunState.current.run
    run.yield()
    guard count > 0 else { return }
    let gate = run.makeGate()
    gates.append(gate)
    run.pass(gate)
  }

  /// Enqueues a block once all work has ended.
  public func notify(
    queue: SimulatedDispatchQueue, file: String = #fileID, line: Int = #line,
    execute work: @escaping () -> Void
  ) {
    let enqueue = { queue.async(file: file, line: line, execute: work) }
    if count == 0 { enqueue() } else { blocks.append(enqueue) }
  }
}
