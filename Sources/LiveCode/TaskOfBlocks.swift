/// Gives blocks the task-local values of the task that has made this one.
///
/// Only a task inherits such values, and only from the task that makes it. So each block runs as
/// the job of a task, which this task makes: it goes on for as long as that takes, on the thread
/// that enqueues the block, and is suspended again.
final class TaskOfBlocks: TaskExecutor, @unchecked Sendable {
  private var job: UnownedJob?
  private var continuation: CheckedContinuation<Void, Never>?
  /// The block whose task is to be made; nil to end.
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

  /// A block that does what `body` does.
  func block(_ body: @escaping () -> Void) -> () -> Void {
    self.body = body
    goOn()
    guard let block else { preconditionFailure("a block has no task") }
    (self.body, self.block) = (nil, nil)
    return block.run
  }

  /// To be called once, when no more blocks are made.
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
