package import Determinism
package import Execution
package import ObjectModel
package import SimulatedCoreData
package import SimulatedDispatch
package import Vocabulary

/// A run of an app's own code over the simulated engine.
///
/// Each piece of code has a thread, and one thread runs at a time. Where Core Data or Dispatch
/// synchronises, the thread that has the turn lets the scheduler choose the lane that goes on, and
/// hands over only if that is the lane of another piece. The code decides nothing about time:
/// lanes, queues and the clock are those of the engine's world, and every action is compared with
/// the reference model and judged by the invariants, as in a campaign.
///
/// The extensions: `+Asking` is what code asks for, `+Turns` chooses who goes on, `+Hooks` runs the
/// overrides of classes.
@safe package final class LiveRun: @unchecked Sendable {
  /// The run that the calling code is a part of.
  package static var current: LiveRun? { CurrentRun.value }

  package internal(set) var run: DifferentialRun {
    _read { yield held.run }
    _modify { yield &held.run }
  }
  private var held: HeldRun
  /// What the code has declared by now.
  package private(set) var stack = Stack()
  package private(set) var model = ObjectModel(entities: [])

  /// The name of the test or campaign that the run belongs to: the same in each of its runs. Two
  /// tests of a process get different UUIDs by it. Empty if there is none.
  package internal(set) var test = ""

  var choices = Choices(replaying: Choices.Recording())
  /// What happened, if the caller wants to know.
  package var trace: Trace?
  /// The same for a program without the code, likewise.
  var recording: Recording?
  /// What the body, or a function of the app, has thrown first.
  package var thrown: (any Error)?
  /// The functions that have begun as tasks and not ended.
  package internal(set) var tasks: [String] = []
  var pieces: [Int: Piece] = [:]
  private var pieceCount = 0
  /// The piece whose thread has the turn.
  package internal(set) var running: Piece
  let threads: ThreadPool
  /// Given back to the caller of `play` when the run is over.
  let over = Baton()
  /// Why the run ended before its code did; nil if it did not.
  package internal(set) var stop: Stop?
  /// How code of the run ended that did not return; nil if all code did, or waits.
  package internal(set) var trap: Trap?
  /// The seconds of the host without a simulated call after which code counts as not returning.
  var patience = 60
  /// The signal of a trap that no message describes yet.
  var signal: Int32?
  /// How often lanes went on, by which a run knows that its code does something.
  var turnCount = 0
  /// A Boolean value that indicates whether the engine is performing an action.
  var isPerforming = false
  /// A Boolean value that indicates whether the engine was performing an action when code trapped:
  /// in a hook, or by a defect of the engine.
  var wasPerforming = false
  /// Whether other lanes may go before the running piece.
  var mayOvertake = false
  /// The task whose task-local values all blocks have; nil if they have none.
  var taskOfBlocks: TaskOfBlocks?
  /// A Boolean value that indicates whether the run is of code outside of runs.
  package private(set) var isOutside = false
  /// How often the main thread has waited in vain.
  var idleTurns = 0
  /// A Boolean value that indicates whether nothing is left to run. Then calls have no effect.
  var isOver = false

  private var nameCount = 0
  /// Names of instances that no code holds any more.
  var released: [HeldInstance] = []
  /// What hooks have got hold of.
  var poolOfHooks: [AnyObject] = []
  /// Contexts that no code holds any more, likewise.
  var discarded: [ContextID] = []
  /// Contexts that have merged automatically until they were discarded.
  var discardedFollowers: [ContextID] = []

  /// The world in the middle of an action, while a hook runs.
  var worldInHook: UnsafeMutablePointer<World>?
  /// Runs the override of a hook; whether it changed the object.
  package var callHook: (Hook, ContextID, ObjectID) -> Bool = { _, _, _ in false }
  /// What the module that code is compiled against keeps of the run.
  package var attachment: AnyObject?
  /// Called when the run is over, by the thread that began it.
  package var cleanUp: () -> Void = {}
  /// Told of every action's events before any code goes on, and of the queue on which it was
  /// performed if no code asked for it.
  package var follow: ([Event], QueueID?) -> Void = { _, _ in }
  /// Called in code that has the main queue, where a turn of the main run loop ends, with a context
  /// that has something to process.
  package var endTurn: (ContextID) -> Void = { _ in }

  /// Why a run ends in the middle of its code.
  package enum Stop: Hashable, Sendable {
    /// Engine and reference model differ.
    case disagreement
    /// Lanes wait for each other.
    case deadlock
    /// The turns of what goes on by itself are used up.
    case endlessReaction
    /// No lane can go on, and some have not ended.
    case standstill
    /// Code has trapped.
    case trap
  }

  package init(
    policy: SchedulingPolicy, quirks: QuirkSet, bugs: PlantedBugSet = PlantedBugSet(),
    threads: ThreadPool
  ) {
    self.threads = threads
    running = Piece(0) {}
    let relay = HookRelay()
    let hooks = CodeHooks { world, hook, context, id in
      relay.run?.runHook(&world, hook, context, id) ?? false
    }
    held = HeldRun(
      DifferentialRun(quirks: quirks, bugs: bugs, policy: policy, hooks: hooks))
    relay.run = self
  }

  /// Runs `body` as the main thread, and then all blocks that the code enqueues, in the order of
  /// the choices. To be called once.
  ///
  /// - Parameter releaseAtEnd: Releases objects of the app, when no code runs any more.
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
    thread(of: main).baton.give()
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

  private func beginMain() -> Piece {
    let main = running
    pieces[0] = main
    main.lane = run.driver
    run.beginMainCode(0)
    return main
  }

  /// Makes the calling thread of the host the run's main thread.
  func beginOnCallingThread() {
    isOutside = true
    beginMain().thread = PooledThread(adoptingCallingThreadInto: threads)
  }

  /// Releases what the run has kept, on a thread of its own: deinitializers are code of the app,
  /// may ask for the run once more, and may trap.
  private func release(_ releaseAtEnd: @escaping () -> Void) {
    threads.thread { [self] in
      CurrentRun.with(self) {
        abandon()
        releaseAtEnd()
        cleanUp()
      }
      return over
    }.baton.give()
    awaitEnd()
  }

  /// What never goes on is told behind all that happened.
  private func noteWaiting() {
    for number in pieces.keys.sorted() {
      guard let piece = pieces[number], let queue = piece.awaited, let lane = piece.lane else {
        continue
      }
      trace?.noteWaiting(at: place(of: lane), in: piece.call, for: look { $0.name(of: queue) })
    }
  }

  /// Ends the threads of code that never goes on. What it holds is lost.
  private func abandon() {
    for number in pieces.keys.sorted() {
      guard let piece = pieces[number] else { continue }
      if let thread = piece.thread, thread.isParked { thread.baton.give() }
      (piece.body, piece.pool, piece.events) = (nil, [], [])
    }
    pieces = [:]
  }

  /// Releases the world if the run ended in the middle of code: threads that ended there keep the
  /// run permanently, and worlds would add up from deadlock to deadlock. Other runs end with their
  /// last object, which code of the app may still read.
  package func dispose() {
    guard stop != nil || trap != nil else { return }
    // The thread that trapped was about to change the world.
    if wasPerforming { _ = unsafe Unmanaged.passRetained(held) }
    held = threads.ended
    (stack, model, trace, recording) = (Stack(), ObjectModel(entities: []), nil, nil)
    (released, discarded, poolOfHooks) = ([], [], [])
  }

  /// Gives all code the task-local values of the calling task, if there is one: by them Swift
  /// Testing knows which test an issue belongs to.
  func keepTaskLocals() {
    if unsafe withUnsafeCurrentTask(body: { unsafe $0 != nil }) { taskOfBlocks = TaskOfBlocks() }
  }

  func makePiece(
    event: ContextID?, origin: String, isTask: Bool = false, _ body: @escaping () -> Void
  ) -> Piece {
    pieceCount += 1
    let body = isTask ? body : taskOfBlocks?.block(body) ?? body
    let piece = Piece(pieceCount, event: event, origin: origin, isTask: isTask, body: body)
    piece.call = running.call
    pieces[piece.number] = piece
    return piece
  }

  package func makeName() -> ObjectName {
    nameCount += 1
    return ObjectName(nameCount - 1)
  }

  // MARK: Declarations

  /// Declares more of the stack, or declares something otherwise.
  package func declare(_ change: (inout Stack, inout ObjectModel) -> Void) {
    unsafe precondition(worldInHook == nil, "a hook changes the stack")
    change(&stack, &model)
    run.grow(to: stack, model: model)
  }

  /// The number of a text in values.
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

  /// The world as it is, in the middle of an action or not.
  package func look<Result>(_ body: (borrowing World) -> Result) -> Result {
    if let world = unsafe worldInHook { return unsafe body(world.pointee) }
    return run.look(body)
  }

  /// The object graph as it is, in the middle of an action or not.
  package func read<Result>(_ body: (borrowing ObjectGraph) -> Result) -> Result {
    look { body($0.graph) }
  }
}
