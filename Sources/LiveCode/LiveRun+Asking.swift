import Determinism
import Execution
package import ObjectModel
import SimulatedCoreData
package import SimulatedDispatch
package import Vocabulary

/// What code asks for, on the thread that has the turn.
extension LiveRun {
  private var lane: LaneID {
    guard let lane = running.lane else { preconditionFailure("code asks before it runs") }
    return lane
  }

  // MARK: Actions

  /// Performs one step, and answers what came of it. Of a save, a phase.
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
    let piece = running
    if let reading = piece.lastRead, reading.isCountedUp(by: step) {
      return perform(run.action(for: counting(step)))
    }
    let events = perform(run.action(for: step))
    piece.lastRead = Reading(step, events)
    return events
  }

  /// `note.views += 1` reads and writes, and nothing comes between: it is a step of its own, by
  /// which invariants know that the code counts.
  private func counting(_ step: AddressedStep) -> AddressedStep {
    guard case .set(let name, let property, _) = step.step else { return step }
    return AddressedStep(step.context, .increment(name, property))
  }

  /// The code does what scenarios have no words for.
  package func noteMore() { recording?.noteMore() }

  @discardableResult
  package func perform(_ action: Action) -> [Event] {
    if isOver { return [] }
    unsafe precondition(worldInHook == nil, "a hook asks for another action than its own, a merge")
    noteOutside()
    let piece = running
    piece.lastRead = nil
    if piece.isTask, piece.origin.isEmpty { piece.origin = Task.name ?? "task" }
    recording?.note(.action(action), by: piece.number)
    run.ask(for: action, on: lane)
    piece.events = []
    letLanesRun()
    return piece.events
  }

  /// Whether the calling code may touch a context: its lane has the context's queue.
  package func hasQueue(of context: ContextID) -> Bool {
    unsafe isOver || worldInHook != nil || run.hasQueue(of: context, lane)
  }

  /// Whether the calling code's lane has a queue.
  package func hasQueue(_ queue: QueueID) -> Bool {
    if isOver { return true }
    if unsafe worldInHook != nil { return look { $0.owns(queue, lane) } }
    return run.owns(queue, lane)
  }

  /// A number in `0..<bound`, of the workload's choices; 0 is the simplest.
  package func draw(below bound: Int) -> Int { choices.draw(below: bound, from: .workload) }

  /// Whether the code that the run was begun with has not returned.
  package var isMainCodeRunning: Bool { pieces[0] != nil }

  /// Whether the calling code runs on the main thread: it has the main queue.
  package var isOnMainThread: Bool {
    look { world in lane == world.driver || world.owns(world.mainQueue, lane) }
  }

  // MARK: Blocks

  package func enqueue(
    on queue: QueueID, endingEventOf context: ContextID? = nil, afterMilliseconds delay: Int = 0,
    origin: String, _ body: @escaping () -> Void
  ) {
    if isOver { return }
    if unsafe worldInHook == nil { yield() }
    let piece = makePiece(event: context, origin: origin, body)
    noteEnqueued(piece, on: queue, afterMilliseconds: delay)
    if let world = unsafe worldInHook {
      unsafe world.pointee.enqueueCode(piece.number, on: queue, afterMilliseconds: delay)
    } else {
      run.enqueueCode(piece.number, on: queue, afterMilliseconds: delay)
    }
  }

  func noteEnqueued(_ piece: Piece, on queue: QueueID, afterMilliseconds delay: Int) {
    recording?.note(
      .enqueued(
        piece: piece.number, on: queue, endingEventOf: piece.event, afterMilliseconds: delay),
      by: running.number)
  }

  /// Enqueues code that an action set off which no code asked for. It belongs to what the action
  /// was a part of, and comes before all that stands in the line.
  package func enqueueFollowUp(on queue: QueueID, _ body: @escaping () -> Void) {
    let piece = makePiece(event: nil, origin: "notification", body)
    recording?.noteMore()
    run.enqueueCodeFirst(piece.number, on: queue)
  }

  /// The calling code has touched a context without its queue.
  package func noteWrongQueue(_ context: ContextID) {
    run.noteWrongQueue(context, by: lane, at: running.origin)
    trace?.noteWrongQueue(
      context, number: run.stepCount, in: running.call, at: place(of: lane))
    recording?.note(.wrongQueue(context), by: running.number)
  }

  /// Runs `body` while the calling lane has `queue`.
  package func sync<Result, Failure: Error>(
    on queue: QueueID, isReentrant: Bool, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The action that the hook is a part of goes on under the queues that it has.
    if unsafe worldInHook != nil || isOver { return try body() }
    yield()
    let lane = lane
    recording?.note(.begin(queue), by: running.number)
    let piece = running
    piece.awaited = queue
    switch run.acquire(queue, for: lane, isReentrant: isReentrant) {
    case .granted, .reentrant: break
    case .waiting: letLanesRun()
    case .deadlock: end(by: .deadlock)
    }
    piece.awaited = nil
    defer {
      recording?.note(.end, by: running.number)
      run.release(queue, by: lane)
    }
    return try body()
  }

  /// `Thread.sleep`, in virtual time.
  package func sleep(milliseconds: Int) {
    if isOver { return }
    unsafe precondition(worldInHook == nil, "a hook sleeps")
    recording?.note(.sleep(milliseconds), by: running.number)
    run.sleep(lane, milliseconds: milliseconds)
    yield()
  }

  /// A turn of the main run loop: what stands in line for the main queue runs, and all lanes go on
  /// until none can, or until `milliseconds` have passed.
  package func runMainLoop(milliseconds: Int) {
    runMainLoop { sleep(milliseconds: max(1, milliseconds)) }
  }

  /// The main run loop turns while its thread waits in `wait`. Elsewhere, also in a block or a task
  /// on the main queue, the loop has nothing to run: the lane just waits.
  func runMainLoop(_ wait: () -> Void) {
    if isOver { return }
    guard lane == run.driver else { return wait() }
    processAtEndOfTurn()
    let main = run.mainQueue
    recording?.note(.loop, by: running.number)
    run.release(main, by: lane)
    wait()
    recording?.note(.endOfLoop, by: running.number)
    // In a performAndWait of the main thread's code the main queue is still taken: none of its
    // blocks runs.
    switch run.acquire(main, for: lane, isReentrant: true) {
    case .granted, .reentrant: break
    case .waiting: letLanesRun()
    case .deadlock: end(by: .deadlock)
    }
  }

  /// Makes a queue that is used once.
  package func makeQueue() -> QueueID {
    if let world = unsafe worldInHook { return unsafe world.pointee.makeCodeQueue() }
    return run.makeQueue()
  }

  /// Makes a serial queue, which reports call by its name.
  package func makeQueue(named name: String) -> QueueID {
    declare { stack, _ in stack.queues.append(Stack.Queue(name: name)) }
    let queue = AppQueueID(stack.queues.count - 1)
    return run.look { $0.queue(ofApp: queue) }
  }

  // MARK: Gates

  /// A closed gate: what passes it waits until it is opened. A suspended queue without blocks.
  package func makeGate() -> QueueID {
    let gate = run.makeQueue()
    suspend(gate)
    return gate
  }

  /// Waits for the gate.
  package func pass(_ gate: QueueID) { sync(on: gate, isReentrant: false) {} }

  /// Nothing begins on the queue before it is opened.
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

  /// Holds the instance with this ID under a new name.
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

  /// Keeps an object alive until the running piece ends, and what a hook has got hold of until any
  /// piece does: the piece whose thread runs the hook may have ended.
  package func keepAlive(_ object: AnyObject) {
    if unsafe worldInHook == nil {
      running.pool.append(object)
    } else {
      poolOfHooks.append(object)
    }
  }

  /// Runs `body` with a pool of its own: what only the pool has is let go when `body` ends, and not
  /// when the running piece does.
  package func withPool<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if unsafe worldInHook != nil { return try body() }
    let piece = running
    let outer = piece.pool
    piece.pool = []
    defer {
      piece.drainPool()
      releaseInstances()
      piece.pool = outer
    }
    return try body()
  }

  /// No code holds the instance any more. It is let go when the running piece ends.
  package func release(_ instance: HeldInstance) { released.append(instance) }

  /// No code holds the context any more (CC-19). What it has goes when the running piece ends.
  package func discard(_ context: ContextID) { discarded.append(context) }

  /// In the order of names and contexts, whatever order reference counting has.
  func releaseInstances() {
    // Taken out first: what goes may add to it.
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
