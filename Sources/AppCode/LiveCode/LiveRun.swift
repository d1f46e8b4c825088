package import Determinism
package import Execution
package import ObjectModel
package import SimulatedCoreData
package import SimulatedDispatch
package import Vocabulary

/// A run of an app's code on the simulated engine.
///
/// Each job has a thread, and one thread runs at a time. Where Core Data or Dispatch
/// synchronises, the running thread lets the scheduler choose the next lane. The thread hands over
/// only if the chosen lane belongs to another job. Lanes, queues and the clock are those of the
/// engine's world, so the code's speed has no effect. As in a campaign, every action is compared
/// with the reference model and checked by the invariants.
///
/// The extension `+Requests` has the requests of code, `+Turns` chooses the next lane, and `+Hooks`
/// runs overrides.
@safe package final class LiveRun: @unchecked Sendable {
  /// The run that the calling code is a part of.
  package static var current: LiveRun? { CurrentRun.value }

  package internal(set) var run: DifferentialRun {
    _read { yield held.run }
    _modify { yield &held.run }
  }
  private var held: RunBox
  /// The stack that the code has declared so far.
  package private(set) var stack = Stack()
  package private(set) var model = ObjectModel(entities: [])

  /// The name of the test or campaign that the run belongs to, or an empty string. UUIDs depend on
  /// it, so that two tests of a process get different ones.
  package internal(set) var test = ""

  /// The promises that the code must keep.
  package internal(set) var promises = LivePromises()

  var choices = Choices(replaying: Choices.Recording())
  /// The trace of the run, if the caller wants one.
  package var trace: Trace?
  /// The recording of the run for a program without the code, if the caller wants one.
  var recording: Recording?
  /// The first error that the body, or a function of the app, has thrown.
  package var thrown: (any Error)?
  /// The names of functions that have begun as tasks and not ended.
  package internal(set) var tasks: [String] = []
  var jobs: [Int: Job] = [:]
  private var jobCount = 0
  /// The job whose thread has the turn.
  package internal(set) var running: Job
  /// A Boolean value that indicates whether queues run in the order in which their blocks were
  /// enqueued.
  package let isInOrder: Bool
  let threads: ThreadPool
  /// The turn that is given to the caller of `play` when the run is over.
  let over = TurnSemaphore()
  /// The reason for a run that ended before its code, or nil if all code ended.
  package internal(set) var stop: Stop?
  /// The trap that ended code of the run, or nil if no code trapped.
  package internal(set) var trap: Trap?
  /// The seconds of host time without a simulated call after which code counts as not returning.
  var patience = 60
  /// The signal that ended the run, until `awaitEnd` describes it as a trap.
  var signal: Int32?
  /// The number of turns so far. While it grows, the run's code makes simulated calls.
  var turnCount = 0
  /// A Boolean value that indicates whether the engine is performing an action.
  var isPerforming = false
  /// A Boolean value that indicates whether code trapped while the engine was performing an action,
  /// in a hook or by a defect of the engine.
  var wasPerforming = false
  /// A Boolean value that indicates whether other lanes may run before the running job.
  var mayOvertake = false
  /// The task whose task-local values all blocks have, or nil if blocks have none.
  var taskOfBlocks: TaskOfBlocks?
  /// A Boolean value that indicates whether the run is for code that belongs to no run.
  package private(set) var isOutside = false
  /// The number of consecutive waits of the main thread in which no other code could run.
  var idleTurns = 0
  /// A Boolean value that indicates whether nothing is left to run. Calls then have no effect.
  var isOver = false

  private var nameCount = 0
  /// Instances that no code holds any more, to be released when the job ends.
  var released: [HeldInstance] = []
  /// Objects that hooks have obtained.
  var poolOfHooks: [AnyObject] = []
  /// Contexts that no code holds any more, to be discarded when the job ends.
  var discarded: [ContextID] = []
  /// Discarded contexts that merged changes automatically.
  var discardedFollowers: [ContextID] = []

  /// The world in the middle of an action while a hook runs, otherwise nil.
  var worldInHook: UnsafeMutablePointer<World>?
  /// Runs the override of a hook, and returns whether the override changed the object.
  package var callHook: (Hook, ContextID, ObjectID) -> Bool = { _, _, _ in false }
  /// The state of the run in the module that code is compiled against.
  package var attachment: AnyObject?
  /// Called when the run is over, on the thread that releases the run's objects.
  package var cleanUp: () -> Void = {}
  /// Called with the events of every action before any code continues. The queue is nil if code
  /// requested the action.
  package var follow: ([Event], QueueID?) -> Void = { _, _ in }
  /// Called where a turn of the main run loop ends, with each context that has pending changes. The
  /// caller holds the main queue.
  package var endTurn: (ContextID) -> Void = { _ in }

  /// The reason for ending a run in the middle of its code.
  package enum Stop: Hashable, Sendable {
    /// Engine and reference model differ.
    case disagreement
    /// Lanes wait for each other.
    case deadlock
    /// A request set off more turns than it may.
    case endlessReaction
    /// No lane can run, and some lanes have not ended.
    case standstill
    /// Code has trapped.
    case trap
  }

  package init(
    policy: SchedulingPolicy, quirks: QuirkSet, bugs: PlantedBugSet = PlantedBugSet(),
    threads: ThreadPool
  ) {
    self.threads = threads
    isInOrder = policy == .inOrder
    running = Job(0) {}
    let relay = HookRelay()
    let hooks = CodeHooks { world, hook, context, id in
      relay.run?.runHook(&world, hook, context, id) ?? false
    }
    held = RunBox(
      DifferentialRun(quirks: quirks, bugs: bugs, policy: policy, hooks: hooks))
    relay.run = self
  }

  /// Runs `body` as the main thread, and then all blocks that the code enqueues, in the order of
  /// the choices. Call this method once.
  ///
  /// - Parameter releaseAtEnd: Releases objects of the app when no code runs any more.
  package func play(
    _ choices: inout Choices, releaseAtEnd: @escaping () -> Void = {},
    _ body: @escaping () -> Void
  ) {
    swap(&choices, &self.choices)
    defer { swap(&choices, &self.choices) }
    precondition(running.lane == nil, "a live run is played twice")
    TaskExecutors.install()
    SignalGuard.install()
    threads.gather()
    let main = beginMain()
    main.body = taskOfBlocks.map { $0.block(body) } ?? body
    thread(of: main).turn.give()
    awaitEnd()
    if stop == nil { run.finishCode() }
    noteWaiting()
    isOver = true
    release(releaseAtEnd)
    (attachment, cleanUp) = (nil, {})
    taskOfBlocks?.end()
    taskOfBlocks = nil
    (callHook, follow, endTurn) = ({ _, _, _ in false }, { _, _ in }, { _ in })
  }

  private func beginMain() -> Job {
    let main = running
    jobs[0] = main
    main.lane = run.driver
    run.beginMainCode(0)
    return main
  }

  /// Makes the calling thread of the host the run's main thread.
  func beginOnCallingThread() {
    isOutside = true
    beginMain().thread = PooledThread(adoptingCallingThreadInto: threads)
  }

  /// Releases the objects that the run has kept, on a separate thread. Deinitializers are code of
  /// the app, which may call the run and may trap.
  private func release(_ releaseAtEnd: @escaping () -> Void) {
    threads.thread { [self] in
      CurrentRun.with(self) {
        abandon()
        releaseAtEnd()
        cleanUp()
      }
      return over
    }.turn.give()
    awaitEnd()
  }

  /// Adds code that waits forever to the end of the trace.
  private func noteWaiting() {
    for number in jobs.keys.sorted() {
      guard let job = jobs[number], let queue = job.awaited, let lane = job.lane else {
        continue
      }
      trace?.noteWaiting(at: place(of: lane), in: job.call, for: withWorld { $0.name(of: queue) })
    }
  }

  /// Ends the threads of code that never continues. Memory that this code holds is lost.
  private func abandon() {
    for number in jobs.keys.sorted() {
      guard let job = jobs[number] else { continue }
      if let thread = job.thread, thread.isParked { thread.turn.give() }
      (job.body, job.pool, job.events) = (nil, [], [])
    }
    jobs = [:]
  }

  /// Releases the world if the run ended in the middle of code. Threads that ended there keep the
  /// run permanently, so worlds would accumulate with each deadlock. Other runs end with their last
  /// object, which code of the app may still read.
  package func dispose() {
    guard stop != nil || trap != nil else { return }
    // The thread that trapped was changing the world, so the world is never released.
    if wasPerforming { _ = unsafe Unmanaged.passRetained(held) }
    held = threads.ended
    (stack, model, trace, recording) = (Stack(), ObjectModel(entities: []), nil, nil)
    (released, discarded, poolOfHooks) = ([], [], [])
  }

  /// Gives all code the task-local values of the calling task, if one exists. Swift Testing uses
  /// them to attribute an issue to a test.
  func keepTaskLocals() {
    if unsafe withUnsafeCurrentTask(body: { unsafe $0 != nil }) { taskOfBlocks = TaskOfBlocks() }
  }

  func makeJob(
    event: ContextID?, origin: String, isTask: Bool = false, _ body: @escaping () -> Void
  ) -> Job {
    jobCount += 1
    let body = isTask ? body : taskOfBlocks?.block(body) ?? body
    let job = Job(jobCount, event: event, origin: origin, isTask: isTask, body: body)
    job.call = running.call
    jobs[job.number] = job
    return job
  }

  package func makeName() -> ObjectName {
    nameCount += 1
    return ObjectName(nameCount - 1)
  }

  // MARK: Declarations

  /// Changes the declared stack and model.
  package func declare(_ change: (inout Stack, inout ObjectModel) -> Void) {
    unsafe precondition(worldInHook == nil, "a hook changes the stack")
    change(&stack, &model)
    promises.adopt(into: &stack, &model)
    run.grow(to: stack, model: model)
  }

  /// Returns the symbol by which values refer to a text.
  package func symbol(for text: String) -> Symbol {
    let count = model.symbols.texts.count
    let symbol = model.symbols.symbol(for: text)
    guard model.symbols.texts.count > count else { return symbol }
    if let world = unsafe worldInHook {
      unsafe world.pointee.adopt(model.symbols)
    } else {
      run.adopt(model.symbols)
    }
    return symbol
  }

  package func text(of symbol: Symbol) -> String { model.symbols.text(of: symbol) }

  /// Calls `body` with the current world, also in the middle of an action.
  package func withWorld<Result>(_ body: (borrowing World) -> Result) -> Result {
    if let world = unsafe worldInHook { return unsafe body(world.pointee) }
    return run.withWorld(body)
  }

  /// Calls `body` with the current object graph, also in the middle of an action.
  package func read<Result>(_ body: (borrowing ObjectGraph) -> Result) -> Result {
    withWorld { body($0.graph) }
  }
}
