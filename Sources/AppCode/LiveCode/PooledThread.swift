import Execution
import Glibc
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// A thread of the host that runs jobs, one after the other.
///
/// Each job needs a separate thread. Swift checks exclusive access with a list of accesses for
/// each thread. Two jobs on one thread would seem to have conflicting accesses.
final class PooledThread: @unchecked Sendable {
  let turn = TurnSemaphore()
  private let pool: ThreadPool
  /// Runs a job to its end, releases everything that it held, and returns the turn of
  /// the next thread.
  fileprivate var work: (() -> TurnSemaphore)?
  /// A Boolean value that indicates whether the thread waits in the middle of its work.
  var isParked = false
  /// The identifier of the thread on the host.
  private(set) var id = pthread_self()
  private(set) var signalStack: SignalStack?
  private var core = Core()

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let status = unsafe pthread_key_create(&key, nil)
    precondition(status == 0, "the host gives no more keys")
    return key
  }()

  /// The pooled thread that runs the calling code, or nil on other threads of the host.
  static var current: PooledThread? {
    guard let pointer = unsafe pthread_getspecific(key) else { return nil }
    return unsafe Unmanaged<PooledThread>.fromOpaque(pointer).takeUnretainedValue()
  }

  fileprivate init(_ pool: ThreadPool) {
    self.pool = pool
    var id = pthread_t()
    let argument = unsafe Unmanaged.passRetained(self).toOpaque()
    let status = unsafe pthread_create(
      &id, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<PooledThread>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, argument)
    precondition(status == 0, "the host gives no more threads")
    pthread_detach(id)
  }

  /// Creates a pooled thread for the calling thread, which was created elsewhere. It can be parked,
  /// but not ended.
  init(adoptingCallingThreadInto pool: ThreadPool) { self.pool = pool }

  private func run() {
    unsafe pthread_setspecific(PooledThread.key, Unmanaged.passUnretained(self).toOpaque())
    (id, signalStack) = (pthread_self(), SignalStack())
    defer { signalStack = nil }
    while true {
      turn.wait()
      core.move(to: pool.core)
      guard let next = finishWork() else { return }
      pool.idle.append(self)
      next.give()
    }
  }

  /// Ends the calling thread in the middle of its work. Memory that the work holds is lost.
  static func endCurrent() -> Never {
    guard let current else { fatalError("Core Data: code outside of a run waits forever") }
    current.signalStack = nil
    pthread_exit(nil)
  }

  /// A separate function, so that the closure and everything that it holds is released before the
  /// turn is given. A later release would run concurrently with the code of another thread.
  @inline(never) private func finishWork() -> TurnSemaphore? {
    guard let work else { return nil }
    self.work = nil
    return work()
  }

  /// Waits in the middle of the work until the thread's next turn.
  func park() {
    isParked = true
    turn.wait()
    isParked = false
  }
}

/// The idle threads for successive runs on one thread of the host. Only the thread that has the
/// turn accesses the pool.
package final class ThreadPool: @unchecked Sendable {
  fileprivate var idle: [PooledThread] = []
  fileprivate private(set) var core = Core()
  /// The differential run that replaces those of disposed runs, to save memory.
  private(set) lazy var ended = RunBox(
    DifferentialRun(
      quirks: QuirkSet(), bugs: PlantedBugSet(), policy: .inOrder,
      hooks: CodeHooks { _, _, _, _ in false }))

  package init() {}

  /// Moves the threads to the processor of the calling thread. Handing the turn to another
  /// processor takes ten times as long.
  func gather() { core = Core.current }

  /// Returns a thread that does `work` once it has its turn.
  func thread(for work: @escaping () -> TurnSemaphore) -> PooledThread {
    let thread = idle.popLast() ?? PooledThread(self)
    thread.work = work
    return thread
  }

  /// Ends the idle threads. Threads in the middle of a run end with it.
  package func drain() {
    for thread in idle { thread.turn.give() }
    idle.removeAll()
  }
}
