import Determinism
import Execution
package import ObjectModel
import SimulatedCoreData
package import SimulatedDispatch
package import Vocabulary

/// Requests of code, made on the thread that has the turn.
extension LiveRun {
  private var lane: LaneID {
    guard let lane = running.lane else { preconditionFailure("code asks before it runs") }
    return lane
  }

  // MARK: Actions

  /// Performs a step, or one phase of a save, and returns the events.
  @discardableResult
  package func perform(
    _ step: Step, in context: ContextID, _ phase: Phase = .whole
  ) -> [Event] {
    if isOver { return [] }
    if !step.hasWords { recording?.noteMore() }
    let step = AddressedStep(context, step)
    if let world = unsafe worldInHook {
      recording?.noteMore()
      let events = unsafe world.pointee.performInHook(step)
      if case .insert(let entity, let name) = step.step,
        let id = unsafe world.pointee.graph.heldID(context, name)
      {
        trace?.noteName(name, entity, id, in: context)
      }
      return events
    }
    if phase != .whole { return perform(.step(step, phase)) }
    let job = running
    // Code such as `note.views += 1` reads and writes with nothing in between. The increment tells
    // invariants that the code counts.
    if let increment = job.lastRead?.increment(by: step) {
      return perform(run.action(for: increment))
    }
    let events = perform(run.action(for: step))
    job.lastRead = Reading(step, events)
    return events
  }

  /// Records that the code did something that scenarios cannot express.
  package func noteMore() { recording?.noteMore() }

  @discardableResult
  package func perform(_ action: Action) -> [Event] {
    if isOver { return [] }
    unsafe precondition(worldInHook == nil, "a hook asks for another action than its own, a merge")
    noteOutside()
    let job = running
    job.lastRead = nil
    if job.isTask, job.origin.isEmpty { job.origin = Task.name ?? "task" }
    recording?.note(.action(action), by: job.number)
    run.ask(for: action, on: lane)
    job.events = []
    letLanesRun()
    return job.events
  }

  /// Returns whether the calling code may touch a context, because its lane holds the context's
  /// queue.
  package func hasQueue(of context: ContextID) -> Bool {
    unsafe isOver || worldInHook != nil || run.hasQueue(of: context, lane)
  }

  /// Returns whether the calling code's lane holds a queue.
  package func hasQueue(_ queue: QueueID) -> Bool {
    if isOver { return true }
    if unsafe worldInHook != nil { return withWorld { $0.owns(queue, lane) } }
    return run.owns(queue, lane)
  }

  /// Draws a number in `0..<bound` from the choices of the workload. The simplest number is 0.
  package func draw(below bound: Int) -> Int { choices.draw(below: bound, from: .workload) }

  /// A Boolean value that indicates whether the run's main code has not returned yet.
  package var isMainCodeRunning: Bool { jobs[0] != nil }

  /// A Boolean value that indicates whether the calling code runs on the main thread, which
  /// includes every lane that holds the main queue.
  package var isOnMainThread: Bool {
    withWorld { world in lane == world.driver || world.owns(world.mainQueue, lane) }
  }

  // MARK: Blocks

  package func enqueue(
    on queue: QueueID, endingEventOf context: ContextID? = nil, afterMilliseconds delay: Int = 0,
    origin: String, _ body: @escaping () -> Void
  ) {
    if isOver { return }
    if unsafe worldInHook == nil { yield() }
    let job = makeJob(event: context, origin: origin, body)
    noteEnqueued(job, on: queue, afterMilliseconds: delay)
    if let world = unsafe worldInHook {
      unsafe world.pointee.enqueueCode(job.number, on: queue, afterMilliseconds: delay)
    } else {
      run.enqueueCode(job.number, on: queue, afterMilliseconds: delay)
    }
  }

  func noteEnqueued(_ job: Job, on queue: QueueID, afterMilliseconds delay: Int) {
    recording?.note(
      .enqueued(
        job: job.number, on: queue, endingEventOf: job.event, afterMilliseconds: delay),
      by: running.number)
  }

  /// Enqueues code that delivers the effects of an action that no code requested, such as an
  /// automatic merge. Runs the code right after the action, before all blocks that wait in the
  /// queue.
  package func enqueueFollowUp(on queue: QueueID, _ body: @escaping () -> Void) {
    let job = makeJob(event: nil, origin: "notification", body)
    recording?.noteMore()
    run.enqueueCodeFirst(job.number, on: queue)
  }

  /// Records that the calling code touched a context without its queue.
  package func noteWrongQueue(_ context: ContextID) {
    run.noteWrongQueue(context, by: lane, at: running.origin)
    trace?.noteWrongQueue(
      context, number: run.stepCount, in: running.call, at: place(of: lane))
    recording?.note(.wrongQueue(context), by: running.number)
  }

  /// Calls `body` while the calling lane holds `queue`.
  package func sync<Result, Failure: Error>(
    on queue: QueueID, isReentrant: Bool, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The action that called the hook holds the queues that it needs.
    if unsafe worldInHook != nil || isOver { return try body() }
    yield()
    let lane = lane
    recording?.note(.begin(queue), by: running.number)
    let job = running
    job.awaited = queue
    switch run.acquire(queue, for: lane, isReentrant: isReentrant) {
    case .granted, .reentrant: break
    case .waiting: letLanesRun()
    case .deadlock: end(by: .deadlock)
    }
    job.awaited = nil
    defer {
      recording?.note(.end, by: running.number)
      run.release(queue, by: lane)
    }
    return try body()
  }

  /// Sleeps in virtual time, as `Thread.sleep` does in real time.
  package func sleep(milliseconds: Int) {
    if isOver { return }
    unsafe precondition(worldInHook == nil, "a hook sleeps")
    recording?.note(.sleep(milliseconds), by: running.number)
    run.sleep(lane, milliseconds: milliseconds)
    yield()
  }

  /// Runs a turn of the main run loop. Blocks of the main queue and all other lanes run, until none
  /// can run or `milliseconds` have passed.
  package func runMainLoop(milliseconds: Int) {
    runMainLoop { sleep(milliseconds: max(1, milliseconds)) }
  }

  /// Runs the main run loop while its thread waits in `wait`. Blocks and tasks have no run loop,
  /// even on the main queue, so their lane only waits.
  package func runMainLoop(_ wait: () -> Void) {
    if isOver { return }
    guard lane == run.driver else { return wait() }
    processAtEndOfTurn()
    let main = run.mainQueue
    recording?.note(.loop, by: running.number)
    run.release(main, by: lane)
    wait()
    recording?.note(.endOfLoop, by: running.number)
    // Inside a `performAndWait` of the main thread's code, the main queue stays taken, so that none
    // of its blocks runs.
    switch run.acquire(main, for: lane, isReentrant: true) {
    case .granted, .reentrant: break
    case .waiting: letLanesRun()
    case .deadlock: end(by: .deadlock)
    }
  }

  /// Makes an unnamed queue for a single use.
  package func makeQueue() -> QueueID {
    if let world = unsafe worldInHook { return unsafe world.pointee.makeCodeQueue() }
    return run.makeQueue()
  }

  /// Makes a serial queue that reports call by the given name.
  package func makeQueue(named name: String) -> QueueID {
    declare { stack, _ in stack.queues.append(Stack.Queue(name: name)) }
    let queue = AppQueueID(stack.queues.count - 1)
    return run.withWorld { $0.queue(ofApp: queue) }
  }

  // MARK: Gates

  /// Makes a closed gate, which is a suspended queue without blocks. Code that passes the gate
  /// waits until the gate is opened.
  package func makeGate() -> QueueID {
    let gate = run.makeQueue()
    suspend(gate)
    return gate
  }

  /// Waits until the gate is open.
  package func pass(_ gate: QueueID) { sync(on: gate, isReentrant: false) {} }

  /// Suspends a queue, so that no block begins on it before the queue is opened.
  package func suspend(_ queue: QueueID) {
    recording?.note(.suspend(queue), by: running.number)
    run.suspend(queue)
  }

  package func open(_ gate: QueueID) {
    recording?.note(.resume(gate), by: running.number)
    if let world = unsafe worldInHook {
      unsafe world.pointee.dispatcher.resume(gate)
    } else {
      run.resume(gate)
    }
  }

  // MARK: Instances

  /// Records that code holds the instance with this ID, and returns a new name for it.
  package func hold(_ id: ObjectID, in context: ContextID) -> ObjectName {
    let name = makeName()
    if let world = unsafe worldInHook {
      unsafe world.pointee.holdInHook(id, in: context, as: name)
    } else {
      run.hold(id, in: context, as: name)
    }
    trace?.noteName(name, id.entity, id, in: context)
    if unsafe worldInHook == nil {
      recording?.note(.held(HeldInstance(context, name)), by: running.number)
    }
    return name
  }

  /// Keeps an object alive until the running job ends. An object that a hook obtains stays alive
  /// until any job ends, because the job whose thread runs the hook may have ended.
  package func keepAlive(_ object: AnyObject) {
    if unsafe worldInHook == nil {
      running.pool.append(object)
    } else {
      poolOfHooks.append(object)
    }
  }

  /// Calls `body` with a separate pool. Objects that only this pool keeps alive are released when
  /// `body` ends, not when the running job ends.
  package func withPool<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if unsafe worldInHook != nil { return try body() }
    let job = running
    let outer = job.pool
    job.pool = []
    defer {
      job.drainPool()
      releaseInstances()
      job.pool = outer
    }
    return try body()
  }

  /// Records that no code holds the instance any more. The instance is released when the running
  /// job ends.
  package func release(_ instance: HeldInstance) { released.append(instance) }

  /// Records that no code holds the context any more (CC-19). The context is discarded when the
  /// running job ends.
  package func discard(_ context: ContextID) { discarded.append(context) }

  /// Releases the instances and discards the contexts that no code holds any more. Sorts them, so
  /// that the result does not depend on the order of reference counting.
  func releaseInstances() {
    // Empty the pool before releasing its objects, because a deinitializer may add to the pool.
    while !poolOfHooks.isEmpty {
      let objects = poolOfHooks
      poolOfHooks = []
      withExtendedLifetime(objects) {}
    }
    while !released.isEmpty || !discarded.isEmpty {
      let instances = released.sorted { $0.name < $1.name }
      released.removeAll()
      for instance in instances {
        perform(.step(AddressedStep(instance.context, .release(instance.name)), .whole))
      }
      let contexts = discarded.sorted()
      discarded.removeAll()
      for context in contexts {
        if stack[context].automaticallyMergesChangesFromParent {
          discardedFollowers.append(context)
        }
        declare { stack, _ in
          stack.contexts[context.index].automaticallyMergesChangesFromParent = false
        }
        perform(.step(AddressedStep(context, .discard), .whole))
      }
    }
  }
}
