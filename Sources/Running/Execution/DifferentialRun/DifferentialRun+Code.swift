package import Determinism
import Failures
import Invariants
package import ObjectModel
import ReferenceModel
package import SimulatedCoreData
package import SimulatedDispatch
package import Vocabulary

/// Runs that an app's code drives. The stack grows during the run, and lanes of code request
/// actions.
extension DifferentialRun {
  /// Creates a run of code on an empty stack. `hooks` runs the hooks of app-defined classes.
  package init(
    quirks: QuirkSet, bugs: PlantedBugSet, policy: SchedulingPolicy, hooks: CodeHooks
  ) {
    self.init(
      model: ObjectModel(entities: []), stack: Stack(), quirks: quirks, bugs: bugs, policy: policy,
      checkLevel: .code)
    world.code = hooks
    // The reference lanes cannot predict a turn, because code announces an action only when it
    // requests it.
    comparesLanes = false
    world.holdsResults = false
    reference.holdsResults = false
  }

  /// Adopts the part of the stack and of the model that the code has declared by now.
  package mutating func grow(to stack: Stack, model: ObjectModel) {
    world.grow(to: stack, model: model)
    reference.grow(to: stack, model: model)
    invariants.grow(contextCount: stack.contexts.count)
    if world.stack.promises.count != promiseCount {
      promiseCount = world.stack.promises.count
      invariants.adoptPromises(in: world)
    }
  }

  /// The texts of the promises that the run has tested.
  package var testedPromises: [String] { invariants.testedPromises }

  /// Adopts the texts that the code has used.
  package mutating func adopt(_ symbols: SymbolTable) {
    world.adopt(symbols)
    reference.adopt(symbols)
  }

  /// Records that the code obtained an instance.
  package mutating func hold(_ id: ObjectID, in context: ContextID, as name: ObjectName) {
    world.hold(id, in: context, as: name)
    reference.hold(id, in: context, as: name)
  }

  /// Requests an action for the code on `lane`. The action is performed as soon as its queues are
  /// free.
  package mutating func ask(for action: Action, on lane: LaneID) {
    allowance.beginRequest(blockCount: world.unfinishedBlockCount)
    if case .step(let step, _) = action { submitted = step }
    world.ask(for: action, on: lane)
  }

  // MARK: Questions

  // These questions are mutating, because a nonmutating question to a value in a class copies the
  // value.

  /// Returns the code that continues when `lane` does.
  package mutating func code(on lane: LaneID) -> Int? { world.code(on: lane) }

  /// Returns the code that `lane` runs or is busy for.
  package mutating func codeBelow(_ lane: LaneID) -> Int? { world.codeBelow(lane) }

  package mutating func owns(_ queue: QueueID, _ lane: LaneID) -> Bool { world.owns(queue, lane) }

  /// Returns a Boolean value that indicates whether code on the lane may touch the context.
  package mutating func hasQueue(of context: ContextID, _ lane: LaneID) -> Bool {
    world.hasQueue(of: context, lane)
  }

  package mutating func queue(of context: ContextID) -> QueueID { world.queue(of: context) }

  package var mainQueue: QueueID { mutating get { world.mainQueue } }

  /// The events of the last action.
  package var events: [Event] { mutating get { world.graph.result.events } }

  /// Returns the queue whose blocks `lane` runs.
  package mutating func workQueue(of lane: LaneID) -> QueueID? { world.dispatcher.queue(of: lane) }

  /// Returns the action that a step performs.
  package mutating func action(for step: AddressedStep) -> Action { world.action(for: step) }

  /// Reads the world in place, without a copy.
  package mutating func withWorld<Result>(_ body: (borrowing World) -> Result) -> Result {
    body(world)
  }

  // MARK: Lanes of code

  /// Runs code on the program's thread, as the main thread.
  package mutating func beginMainCode(_ code: Int) {
    world.beginMainCode(code)
    noteCode(on: driver)
  }

  /// Creates a serial queue.
  package mutating func makeQueue() -> QueueID { world.makeCodeQueue() }

  package mutating func enqueueCode(
    _ code: Int, on queue: QueueID, afterMilliseconds delay: Int
  ) {
    world.enqueueCode(code, on: queue, afterMilliseconds: delay)
  }

  package mutating func enqueueCodeFirst(_ code: Int, on queue: QueueID) {
    world.enqueueCodeFirst(code, on: queue)
  }

  /// Acquires a queue for code, or makes its lane wait in line.
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

  /// Notes that the code on `lane` has returned.
  package mutating func endCode(on lane: LaneID, endingEventOf context: ContextID?) {
    world.endCode(on: lane, endingEventOf: context)
    allowance.beginRequest(blockCount: world.unfinishedBlockCount)
  }

  /// Records that the code touched a context from a lane without the context's queue. `place` is
  /// the line that enqueued the lane's block, or empty if that line is unknown.
  package mutating func noteWrongQueue(_ context: ContextID, by lane: LaneID, at place: String) {
    var violation = Violation(
      .ContextsKeepToTheirQueues, in: context,
      detail: "from \(place.isEmpty ? world.name(of: lane) : place); its queue is "
        + world.name(of: world.queue(of: context)))
    violation.stepNumber = stepCount
    record([violation])
  }

  /// Returns the lane that runs next, or `nil` if none can. With `mayOvertake`, the lane that ran
  /// last is at a point where other lanes may go first.
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
    // The turns that code will take are unknown, so strategies get an estimate of the right
    // magnitude.
    let turnsToCome = world.code(on: driver) == nil ? 0 : 64
    return scheduler.choose(
      world.dispatcher.decision(driver: driver, turnsToCome: turnsToCome), in: world, &choices)
  }

  /// Notes that code on `lane` continues.
  package mutating func noteCode(on lane: LaneID) {
    noteLane(lane)
  }

  /// Ends a run of code and checks the final state.
  package mutating func finishCode() {
    precondition(!isFinished, "a run is finished twice")
    compareAtEnd()
    record(invariants.atEnd(of: world), isAtEnd: true)
    digest.feed(violations.count)
    isFinished = true
    checkInvariants()
  }
}
