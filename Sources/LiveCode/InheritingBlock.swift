/// A block that runs with the task-local values of the code that makes it: as the only job of a
/// task, for only tasks inherit them.
final class InheritingBlock: TaskExecutor {
  private let job = Handed<UnownedJob?>(nil)

  init(_ body: @escaping () -> Void) {
    let body = Handed(Optional(body))
    Task(executorPreference: self) {
      body.value?()
      body.value = nil
    }
  }

  func enqueue(_ job: consuming ExecutorJob) { self.job.value = UnownedJob(job) }

  /// To be called once.
  func run() {
    guard let job = job.value else { preconditionFailure("a block has no job") }
    unsafe job.runSynchronously(on: asUnownedTaskExecutor())
  }
}
