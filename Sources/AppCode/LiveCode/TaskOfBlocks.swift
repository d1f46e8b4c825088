/// Gives blocks the task-local values of the task in which this object was created.
///
/// Only a task inherits such values, and only from the task that creates it. So one task creates a
/// task for each block, whose job runs the block. The creating task runs on the thread that
/// enqueues the block, for as long as that takes, and is then suspended again.
final class TaskOfBlocks: TaskExecutor, @unchecked Sendable {
  private var job: UnownedJob?
  private var continuation: CheckedContinuation<Void, Never>?
  /// The code of the next block, or nil to end the task.
  private var body: (() -> Void)?
  private var block: BlockTask?

  init() {
    Task(executorPreference: self) { [unowned self] in
      while true {
        await withCheckedContinuation { continuation = $0 }
        guard let body else { return }
        block = BlockTask(body)
      }
    }
    run()
  }

  /// Returns a block that runs `body` with the task-local values.
  func block(_ body: @escaping () -> Void) -> () -> Void {
    self.body = body
    goOn()
    guard let block else { preconditionFailure("a block has no task") }
    (self.body, self.block) = (nil, nil)
    return block.run
  }

  /// Ends the task. Call this method once, after the last block was created.
  func end() { goOn() }

  private func goOn() {
    continuation?.resume()
    run()
  }

  func enqueue(_ job: consuming ExecutorJob) { self.job = UnownedJob(job) }

  private func run() {
    guard let job else { preconditionFailure("the task of blocks cannot go on") }
    self.job = nil
    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
  }
}

/// A block as a task.
private final class BlockTask: TaskExecutor, @unchecked Sendable {
  private var job: UnownedJob?

  init(_ body: @escaping () -> Void) {
    let body = Handed(Optional(body))
    Task(executorPreference: self) {
      body.value?()
      body.value = nil
    }
  }

  func enqueue(_ job: consuming ExecutorJob) { self.job = UnownedJob(job) }

  func run() {
    guard let job else { preconditionFailure("a block runs twice") }
    self.job = nil
    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
  }
}
