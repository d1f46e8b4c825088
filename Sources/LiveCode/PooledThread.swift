import Execution
import Glibc
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// A thread of the host that runs pieces of code, one after the other.
///
/// Code needs a real thread: the compiler's checks of exclusive access keep a list for each, so two
/// pieces that share one would be taken for conflicting accesses.
final class PooledThread: @unchecked Sendable {
  let baton = Baton()
  private let pool: ThreadPool
  /// Runs a piece of code to its end, lets go of all that it held, and answers whose turn is next.
  fileprivate var work: (() -> Baton)?
  /// Whether it waits in the middle of its work.
  var isParked = false
  /// The host's name of the thread.
  private(set) var id = pthread_self()
  private(set) var signalStack: SignalStack?
  private var core = Core()

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let status = unsafe pthread_key_create(&key, nil)
    precondition(status == 0, "the host gives no more keys")
    return key
  }()

  /// The pooled thread that runs the calling code; nil on other threads of the host.
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

  /// Stands for the calling thread, which is not the run's own: it can be parked, and not ended.
  init(adoptingCallingThreadInto pool: ThreadPool) { self.pool = pool }

  private func run() {
    unsafe pthread_setspecific(PooledThread.key, Unmanaged.passUnretained(self).toOpaque())
    (id, signalStack) = (pthread_self(), SignalStack())
    defer { signalStack = nil }
    while true {
      baton.wait()
      core.move(to: pool.core)
      guard let next = finishWork() else { return }
      pool.idle.append(self)
      next.give()
    }
  }

  /// Ends the calling thread in the middle of its work. Memory that the work holds is lost.
  static func endCurrent() -> Never {
    guard let current else { fatalError("Core Data: outside of a run, code waits without end") }
    current.signalStack = nil
    pthread_exit(nil)
  }

  /// A function of its own, so that the closure, and all that it holds, is gone when it returns:
  /// what is released after the baton is given is released beside the code of another thread.
  @inline(never) private func finishWork() -> Baton? {
    guard let work else { return nil }
    self.work = nil
    return work()
  }

  /// Waits in the middle of its work until it is its turn again.
  func park() {
    isParked = true
    baton.wait()
    isParked = false
  }
}

/// The idle threads of the runs that follow each other on one thread of the host. Only the thread
/// whose turn it is touches it.
package final class ThreadPool: @unchecked Sendable {
  fileprivate var idle: [PooledThread] = []
  fileprivate private(set) var core = Core()
  /// What all runs that are over have instead of what they came to.
  private(set) lazy var ended = HeldRun(
    DifferentialRun(
      quirks: QuirkSet(), bugs: PlantedBugSet(), policy: .inOrder,
      hooks: CodeHooks { _, _, _, _ in false }))

  package init() {}

  /// The threads go where the calling one runs: handing the turn to another core takes ten times as
  /// long.
  func gather() { core = Core.current }

  /// A thread that does `work` once it has its baton.
  func thread(for work: @escaping () -> Baton) -> PooledThread {
    let thread = idle.popLast() ?? PooledThread(self)
    thread.work = work
    return thread
  }

  /// Ends the idle threads; those that are stuck in a run end with it.
  package func drain() {
    for thread in idle { thread.baton.give() }
    idle.removeAll()
  }
}
