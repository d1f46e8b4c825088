package import Determinism
import Failures
import Invariants
package import ObjectModel
import ReferenceModel
package import SimulatedCoreData
package import SimulatedDispatch
package import Vocabulary

/// Runs that an app's code drives: the stack grows, and actions are asked for by lanes of code.
extension DifferentialRun {
  /// A run of code on a stack that is to be made, with classes whose hooks `hooks` runs.
  package init(
    quirks: QuirkSet, bugs: PlantedBugSet, policy: SchedulingPolicy, hooks: CodeHooks
  ) {
    self.init(
      model: ObjectModel(entities: []), stack: Stack(), quirks: quirks, bugs: bugs, policy: policy,
      checkLevel: .code)
    world.code = hooks
    // Code says what it does next when it does it.
    comparesLanes = false
    world.holdsResults = false
    reference.holdsResults = false
  }

  /// Takes over what the code has declared by now.
  package mutating func grow(to stack: Stack, model: ObjectModel) {
    world.grow(to: stack, model: model)
    reference.grow(to: stack, model: model)
    invariants.grow(contextCount: stack.contexts.count)
  }

  /// Takes over texts that the code has used.
  package mutating func adopt(_ symbols: SymbolTable) {
    world.adopt(symbols)
    reference.adopt(symbols)
  }

  /// The code gets hold of an instance.
  package mutating func hold(_ id: ObjectID, in context: ContextID, as name: ObjectName) {
    world.hold(id, in: context, as: name)
    reference.hold(id, in: context, as: name)
  }

  /// The code on `lane` asks for an action, which is performed as soon as its queues are free.
  package mutating func ask(for action: Action, on lane: LaneID) {
    allowance.beginRequest(blockCount: world.unfinishedBlockCount)
    if case .step(let step, _) = action { submitted = step }
    world.ask(for: action, on: lane)
  }

  // MARK: Questions

  // Mutating, because a value in a class is copied for every question that is not.

  /// The code that goes on when `lane` does.
  package mutating func code(on lane: LaneID) -> Int? { world.code(on: lane) }

  /// The code that `lane` runs or is busy for.
  package mutating func codeBelow(_ lane: LaneID) -> Int? { world.codeBelow(lane) }

  package mutating func owns(_ queue: QueueID, _ lane: LaneID) -> Bool { world.owns(queue, lane) }

  /// Whether code on the lane may touch the context.
  package mutating func hasQueue(of context: ContextID, _ lane: LaneID) -> Bool {
    world.hasQueue(of: context, lane)
  }

  package mutating func queue(of context: ContextID) -> QueueID { world.queue(of: context) }

  package var mainQueue: QueueID { mutating get { world.mainQueue } }

  /// What the last action came to.
  package var events: [Event] { mutating get { world.graph.result.events } }

  /// The queue whose blocks `lane` runs.
  package mutating func workQueue(of lane: LaneID) -> QueueID? { world.dispatcher.queue(of: lane) }

  /// The action that a step comes to.
  package mutating func action(for step: AddressedStep) -> Action { world.action(for: step) }

  /// Looks at the world in place.
  package mutating func look<Result>(_ body: (borrowing World) -> Result) -> Result { body(world) }

  // MARK: Lanes of code

  /// The program's thread runs code, as the main thread.
  package mutating func beginMainCode(_ code: Int) {
    world.beginMainCode(code)
    noteCode(on: driver)
  }

  /// Makes a serial queue.
  package mutating func makeQueue() -> QueueID { world.makeCodeQueue() }

  package mutating func enqueueCode(
    _ code: Int, on queue: QueueID, afterMilliseconds delay: Int
  ) {
    world.enqueueCode(code, on: queue, afterMilliseconds: delay)
  }

  package mutating func enqueueCodeFirst(_ code: Int, on queue: QueueID) {
    world.enqueueCodeFirst(code, on: queue)
  }

  /// Takes a queue for code, or has its lane wait in line.
  package mutating func acquire(
    _ queue: QueueID, for lane: LaneID, isReentrant: Bool
  ) -> Acquisition {
    let acquisition = world.acquire(queue, for: lane, isReentrant: isReentrant)
    allowance.beginRequest(blockCount: world.unfinishedBlockCount)
    if case .deadlock = acquisition {
      end(by: .deadlock)
      record(invariants.deadlocks(in: world, submitted: submitted))
    }
    return acquisition
  }

  package mutating func release(_ queue: QueueID, by lane: LaneID) {
    world.release(queue, by: lane)
  }

  package mutating func suspend(_ queue: QueueID) { world.dispatcher.suspend(queue) }

  package mutating func resume(_ queue: QueueID) { world.dispatcher.resume(queue) }

  package mutating func sleep(_ lane: LaneID, milliseconds: Int) {
    world.sleep(lane, milliseconds: milliseconds)
  }

  /// The code on `lane` has returned.
  package mutating func endCode(on lane: LaneID, endingEventOf context: ContextID?) {
    world.endCode(on: lane, endingEventOf: context)
    allowance.beginRequest(blockCount: world.unfinishedBlockCount)
  }

  /// The code has touched a context from a lane without its queue. `place` is where the block that
  /// the lane runs was handed over; empty if that is not known.
  package mutating func noteWrongQueue(_ context: ContextID, by lane: LaneID, at place: String) {
    var violation = Violation(
      .ContextsKeepToTheirQueues, in: context,
      detail: "from \(place.isEmpty ? world.name(of: lane) : place); its queue is "
        + world.name(of: world.queue(of: context)))
    violation.stepNumber = stepCount
    record([violation])
  }

  /// The lane that goes on next, with `mayOvertake` if the lane that ran last is at a point where
  /// others may go first; nil if none can.
  package mutating func nextLane(mayOvertake: Bool, _ choices: inout Choices) -> LaneID? {
    while world.dispatcher.runnableCount == 0 { guard wake() else { return nil } }
    if let current, world.dispatcher.canRun(current) {
      let isCode = world.code(on: current) != nil
      if isCode ? !mayOvertake : !world.isAtSynchronisationPoint(current) { return current }
    }
    if let lane = world.dispatcher.onlyRunnable {
      scheduler.follow(lane, in: world, choices)
      return lane
    }
    // What code will do is not known: strategies get a number of the right order.
    let turnsToCome = world.code(on: driver) == nil ? 0 : 64
    return scheduler.choose(
      world.dispatcher.decision(driver: driver, turnsToCome: turnsToCome), in: world, &choices)
  }

  /// Code goes on, on `lane`.
  package mutating func noteCode(on lane: LaneID) {
    noteLane(lane)
  }

  /// The code is over. What it left is checked, unless the run has ended before.
  package mutating func finishCode() {
    precondition(!isFinished, "a run is finished twice")
    compareAtEnd()
    record(invariants.atEnd(of: world), isAtEnd: true)
    digest.feed(violations.count)
    isFinished = true
    checkInvariants()
  }
}
