import Determinism
import ObjectModel
package import SimulatedDispatch
package import Vocabulary

/// Steps as frames on lanes: which lane waits for which queue, and when.
///
/// A step on a context runs while its lane holds the context's queue. If it has to ask the levels
/// above, the lane takes the parent's queue, the grandparent's, and so on, and last the
/// coordinator's lock (CC-06, CC-14), each with a separate wait; then the step runs without
/// interruption, observers are called, and the queues are given back. A save does that phase by
/// phase.
extension World {
  mutating func makeQueues() {
    // Apart from the world: a closure that asks that copies the stack each time.
    let stack = stack
    queues.main = dispatcher.makeQueue()
    queues.ofApp = stack.queues.map { _ in dispatcher.makeQueue() }
    queues.ofContexts = stack.contexts.map { context in
      switch context.concurrencyType {
      case .mainQueue: queues.main
      case .privateQueue: dispatcher.makeQueue()
      case .confinement: context.thread.map { queues.ofApp[$0.index] } ?? queues.main
      }
    }
    queues.ofCoordinators = stack.coordinators.map { _ in dispatcher.makeQueue() }
    queues.driver = dispatcher.makeThread()
    assert(dispatcher.queue(of: queues.driver) == nil, "the driver is the worker of a queue")
    queues.aboveContexts = stack.contextIDs.map { context in
      let lock = queues.ofCoordinators[stack.coordinator(of: context).index]
      let chain = stack.chain(from: context).dropFirst()
      return Queues.Above(chain.map { queues.ofContexts[$0.index] } + [lock])
    }
  }

  /// The thread that submits the program's steps.
  package var driver: LaneID { queues.driver }

  package func queue(of context: ContextID) -> QueueID { queues.ofContexts[context.index] }

  package func queue(ofApp queue: AppQueueID) -> QueueID { queues.ofApp[queue.index] }

  package func isQueueOfApp(_ queue: QueueID) -> Bool { queues.ofApp.contains(queue) }

  /// Blocks that were enqueued and have not run to their end.
  package var unfinishedBlockCount: Int { queues.enqueuedCount - queues.finishedCount }

  /// Hands the next step of the program to the driver, which must be idle.
  package mutating func submit(_ step: AddressedStep) {
    precondition(dispatcher.frameCount(of: driver) == 0, "the driver is still busy")
    guard step.takesTurn else { return start(step, on: driver, within: nil) }
    var submission = plan(of: step.context, [step], within: nil)
    submission.isSubmission = true
    dispatcher.push(.block(.init(submission)), on: driver)
  }

  package var isDriverIdle: Bool { dispatcher.frameCount(of: driver) == 0 }

  /// What a lane is called in reports.
  package func name(of lane: LaneID) -> String {
    if lane == driver { return "the program's thread" }
    if lane == dispatcher.worker(of: queues.main) { return "the main thread" }
    for (app, queue) in zip(stack.queues, queues.ofApp)
    where dispatcher.worker(of: queue) == lane {
      return "a block of \(app.name)"
    }
    for (context, queue) in zip(stack.contexts, queues.ofContexts)
    where dispatcher.worker(of: queue) == lane {
      return "a block of \(context.name)"
    }
    return "lane \(lane.index)"
  }

  package func name(of queue: QueueID) -> String {
    if let index = queues.ofCoordinators.firstIndex(of: queue) {
      return "coordinator \(stack.coordinators[index].name)"
    }
    if queue == queues.main { return "the main queue" }
    if let index = queues.ofApp.firstIndex(of: queue) { return stack.queues[index].name }
    if let index = queues.ofContexts.firstIndex(of: queue) { return stack.contexts[index].name }
    return "queue \(queue.index)"
  }

  /// Whether others may go before the lane's next turn: only where Core Data itself synchronises,
  /// and before a kill, which comes when it comes.
  package func isAtSynchronisationPoint(_ lane: LaneID) -> Bool {
    switch dispatcher.top(of: lane) {
    case nil: true
    case .block(let block):
      if block.next < block.steps.count {
        switch block.steps[block.next].step {
        case .perform, .performAndWait, .performBackgroundTask, .async, .sync, .call, .sleep,
          .suspend, .resume, .kill:
          true
        case .discard: !hasQueue(of: block.steps[block.next].context, lane)
        default: block.next == 0
        }
      } else {
        true
      }
    case .wait(_, let hasQueue): !hasQueue
    case .operation(let operation):
      !operation.isPerformed
        && operation.takenCount < operation.needs.count
    case .delivery: false
    }
  }

  /// Lets a runnable lane take its next turn.
  package mutating func advance(_ lane: LaneID) -> Progress {
    guard let frame = dispatcher.top(of: lane) else {
      preconditionFailure("lane \(lane.index) has nothing to do")
    }
    assert(dispatcher.canRun(lane), "lane \(lane.index) waits or sleeps")
    dispatcher.noteRan(lane)
    if notesWrites {
      enqueuedOn.removeAll(keepingCapacity: true)
      begunStep = nil
    }
    switch consume frame {
    case .block(let block): return advance(block, on: lane)
    case .wait(let block, let hasQueue): return advance(block, hasQueue: hasQueue, on: lane)
    case .operation(let operation): return advance(operation, on: lane)
    case .delivery(let delivery): return advance(delivery, on: lane)
    }
  }

  // MARK: Blocks

  private mutating func advance(_ block: consuming Frame.Block, on lane: LaneID) -> Progress {
    if block.next < block.steps.count {
      let step = block.steps[block.next]
      if block.isSubmission {
        _ = dispatcher.pop(lane)
        start(step, on: lane, within: nil)
        return .moved
      }
      block.next += 1
      dispatcher.replaceTop(of: lane, with: .block(block))
      start(step, on: lane, within: block)
      return .moved
    }
    _ = dispatcher.pop(lane)
    if block.isEvent, let context = block.context {
      dispatcher.push(frame(for: .endOfEvent(context)), on: lane)
    } else {
      finishBlockIfIdle(lane)
    }
    return .moved
  }

  private mutating func finishBlockIfIdle(_ lane: LaneID) {
    guard dispatcher.frameCount(of: lane) == 0, lane != driver else { return }
    queues.finishedCount += 1
    assert(queues.finishedCount <= queues.enqueuedCount, "a block ends that was not enqueued")
    dispatcher.finishBlock(on: lane)
  }

  private func plan(
    of context: ContextID, _ steps: [AddressedStep], isEvent: Bool = false,
    within block: Frame.Block?
  ) -> Frame.Plan {
    Frame.Plan(
      queue: queue(of: context), context: context, steps: steps, isEvent: isEvent,
      delivered: block?.delivered, isObservers: block?.isObservers ?? false,
      isStacks: block?.isStacks ?? false)
  }

  private func plan(
    onQueueOfApp queue: AppQueueID, _ steps: [AddressedStep], within block: Frame.Block?
  ) -> Frame.Plan {
    Frame.Plan(
      queue: queues.ofApp[queue.index], steps: steps, delivered: block?.delivered,
      isObservers: block?.isObservers ?? false, isStacks: block?.isStacks ?? false)
  }

  private mutating func enqueue(_ plan: Frame.Plan) {
    enqueue(.block(.init(plan)), on: plan.queue)
  }

  /// Takes the queue of a block, runs it, and gives the queue back.
  private mutating func wait(for plan: Frame.Plan, on lane: LaneID) {
    dispatcher.push(.wait(.init(plan), hasQueue: false), on: lane)
  }

  private mutating func enqueue(_ frame: Frame, on queue: QueueID) {
    queues.enqueuedCount += 1
    if notesWrites { enqueuedOn.append(queue) }
    if bugs.contains(.dropsQueuedBlock), dispatcher.owner(of: queue) != nil { return }
    if dispatcher.isSuspended(queue) {
      marks.insert(.blockIsHeldBack)
      if bugs.contains(.dropsBlockOfSuspendedQueue) { return }
    }
    dispatcher.async(frame, on: queue)
  }

  /// Begins a step: as an operation on the lane, or as a block here or elsewhere.
  private mutating func start(_ step: AddressedStep, on lane: LaneID, within block: Frame.Block?) {
    let context = step.context
    if notesWrites { begunStep = step }
    switch step.step {
    case .perform(let steps):
      enqueue(plan(of: context, steps, isEvent: true, within: block))
    case .performAndWait(let steps):
      wait(for: plan(of: context, steps, within: block), on: lane)
    case .call(let entryPoint):
      let steps = stack.entryPoints[entryPoint.index].steps
      var inner = plan(of: context, steps, within: block)
      inner.isStacks = true
      wait(for: inner, on: lane)
    case .performBackgroundTask(let steps):
      // The context does not outlive the block, so no event ends: it is discarded instead.
      enqueue(plan(of: context, steps + [AddressedStep(context, .discard)], within: block))
    case .async(let queue, let steps):
      enqueue(plan(onQueueOfApp: queue, steps, within: block))
    case .sync(let queue, let steps):
      wait(for: plan(onQueueOfApp: queue, steps, within: block), on: lane)
    case .directly(let steps):
      var inner = plan(of: context, steps, within: block)
      inner.isDirect = true
      dispatcher.push(.block(.init(inner)), on: lane)
    case .tick where isAtHome(context, on: lane, within: block):
      let main = contexts.map(\.id).filter { queue(of: $0) == queues.main }
      for context in main.reversed() {
        dispatcher.push(frame(for: .endOfEvent(context)), on: lane)
      }
    case .suspend(let queue): suspend(queue, of: context)
    case .resume(let queue): resume(queue, of: context)
    case .discard where !hasQueue(of: context, lane):
      // Does not wait. Blocks hold their context, so it goes after those that are enqueued.
      enqueue(
        frame(for: .step(step, .whole), isStacks: block?.isStacks ?? false),
        on: queue(of: context))
    case .kill:
      abandonLanes()
      dispatcher.push(frame(for: .step(step, .whole)), on: driver)
    case .sleep(let milliseconds):
      // A frame with nothing in it: the lane is busy until it wakes.
      dispatcher.push(.delivery(.init(calls: [])), on: lane)
      dispatcher.sleep(lane, milliseconds: milliseconds)
    default:
      if let block, block.isDirect {
        let action =
          hasQueue(of: context, lane)
          ? action(for: step, delivered: block.delivered) : .wrongQueue(context)
        dispatcher.push(frame(for: action), on: lane)
        return
      }
      guard block?.context == context else {
        // From another queue a single step is a `performAndWait` by itself.
        wait(for: plan(of: context, [step], within: block), on: lane)
        return
      }
      dispatcher.push(
        frame(for: action(for: step, delivered: block?.delivered)), on: lane)
    }
  }

  /// Whether a step for `context` needs no other queue: in a block of the context, or in one that
  /// runs wherever it is while the lane owns the context's queue (CC-12).
  private func isAtHome(
    _ context: ContextID, on lane: LaneID, within block: Frame.Block?
  ) -> Bool {
    guard let block else { return false }
    return block.isDirect ? hasQueue(of: context, lane) : block.context == context
  }

  private func hasQueue(of context: ContextID, _ lane: LaneID) -> Bool {
    dispatcher.owner(of: queue(of: context)) == lane
  }

  private func action(for step: AddressedStep, delivered: Int?) -> Action {
    switch step.step {
    case .save: .step(step, .flush)
    case .mergeChanges(let source):
      if let number = number(of: source, delivered: delivered) {
        .merge(step.context, number: number)
      } else {
        .step(step, .whole)
      }
    case .mergeRemoteChanges(let source):
      if let number = number(of: source, delivered: delivered) {
        .mergeRemote(step.context, number: number)
      } else {
        .step(step, .whole)
      }
    default: .step(step, .whole)
    }
  }

  private mutating func advance(
    _ block: Frame.Block, hasQueue: Bool, on lane: LaneID
  ) -> Progress {
    let queue = block.queue
    if !hasQueue {
      dispatcher.replaceTop(of: lane, with: .wait(block, hasQueue: true))
      // `performAndWait` can be nested (CC-02), dispatch_sync cannot.
      switch dispatcher.acquire(queue, for: lane, isReentrant: block.context != nil) {
      case .granted, .reentrant:
        dispatcher.push(.block(block), on: lane)
        return .moved
      case .waiting, .deadlock:
        // The block is on the stack already when the queue is granted.
        dispatcher.push(.block(block), on: lane)
        return .blocked
      }
    }
    _ = dispatcher.pop(lane)
    if !forgetsRelease(of: queue, by: lane) { dispatcher.release(queue, by: lane) }
    finishBlockIfIdle(lane)
    return .moved
  }

  /// `nestedWaitKeepsQueue`, on the program's thread alone: a block must end with its own queue
  /// only.
  private func forgetsRelease(of queue: QueueID, by lane: LaneID) -> Bool {
    guard bugs.contains(.nestedWaitKeepsQueue), lane == driver else { return false }
    return dispatcher.frames(of: lane).contains { frame in
      if case .wait(let outer, hasQueue: true) = frame { outer.queue == queue } else { false }
    }
  }

  // MARK: Operations

  private func frame(for action: Action, isStacks: Bool = false) -> Frame {
    .operation(
      .init(.init(action: action, needs: queuesNeeded(for: action), isStacks: isStacks)))
  }

  private mutating func advance(
    _ operation: consuming Frame.Operation, on lane: LaneID
  ) -> Progress {
    let needs = operation.needs
    if operation.isPerformed {
      for queue in needs.reversed() { dispatcher.release(queue, by: lane) }
      _ = dispatcher.pop(lane)
      if operation.continues, let next = nextPhase(after: operation.action) {
        dispatcher.push(frame(for: next), on: lane)
      } else {
        finishBlockIfIdle(lane)
      }
      return .moved
    }
    if operation.takenCount < needs.count {
      let queue = needs[operation.takenCount]
      operation.takenCount += 1
      dispatcher.replaceTop(of: lane, with: .operation(operation))
      switch dispatcher.acquire(queue, for: lane) {
      case .granted, .reentrant: return .moved
      case .waiting, .deadlock: return .blocked
      }
    }
    assert(
      needs.allSatisfy { dispatcher.owner(of: $0) == lane },
      "lane \(lane.index) acts without a queue that it needs")
    // To empty what is empty costs more than to look.
    events.removeAll(keepingCapacity: true)
    if !evidence.isEmpty { evidence.removeAll(keepingCapacity: true) }
    storeAccess = StoreAccess()
    if !collectedContexts.isEmpty { collectedContexts.removeAll(keepingCapacity: true) }
    forgetTouched()
    let action = operation.action
    operation.continues = perform(action)
    collect()
    #if DEBUG
      checkInvariants()
    #endif
    operation.isPerformed = true
    dispatcher.replaceTop(of: lane, with: .operation(operation))
    let calls = callsToObservers()
    if !calls.isEmpty { dispatcher.push(.delivery(.init(calls: calls)), on: lane) }
    dispatcher.sleep(lane, milliseconds: storeAccess.duration(by: stack.timing))
    return .performed(action)
  }

  private func nextPhase(after action: Action) -> Action? {
    guard case .step(let step, let phase) = action else { return nil }
    switch phase {
    case .flush: return .step(step, .willSave)
    case .willSave: return .step(step, .commit)
    case .commit: return .step(step, .finish)
    case .finish, .whole: return nil
    }
  }

  private func callsToObservers() -> [Frame.Delivery.Call] {
    guard !stack.observers.isEmpty else { return [] }
    var calls: [Frame.Delivery.Call] = []
    for event in events {
      let posted: (Stack.NotificationName, ContextID, Int?)
      switch event {
      case .objectsDidChange(let context, _): posted = (.objectsDidChange, context, nil)
      case .contextWillSave(let context): posted = (.contextWillSave, context, nil)
      case .didSave(let context, _, let number): posted = (.didSave, context, number)
      case .didSaveObjectIDs(let context, _, let number):
        posted = (.didSaveObjectIDs, context, number)
      default: continue
      }
      for (index, observer) in stack.observers.enumerated()
      where observer.notification == posted.0 && observer.context == posted.1 {
        calls.append(.init(observer: index, delivered: posted.2))
      }
    }
    return calls
  }

  private mutating func advance(_ delivery: Frame.Delivery, on lane: LaneID) -> Progress {
    guard let call = delivery.calls.first else {
      _ = dispatcher.pop(lane)
      return .moved
    }
    dispatcher.replaceTop(
      of: lane, with: .delivery(.init(calls: Array(delivery.calls.dropFirst()))))
    let observer = stack.observers[call.observer]
    dispatcher.push(
      .block(
        .init(
          .init(
            queue: queue(of: observer.context), context: observer.context, steps: observer.steps,
            delivered: call.delivered, isObservers: true, isStacks: true))),
      on: lane)
    return .moved
  }

  mutating func enqueueAutomaticMerges(of number: Int, from context: ContextID) {
    if bugs.contains(.dropsAutomaticMerge) { return }
    for index in contexts.indices where index != context.index {
      let isSibling =
        contexts[context.index].isRoot && contexts[index].isRoot
        && contexts[index].coordinator == contexts[context.index].coordinator
      if isSibling || contexts[index].parent == context {
        enqueueAutomaticMerge(of: number, into: ContextID(index))
      }
    }
  }

  mutating func enqueueAutomaticMerges(of number: Int, intoChildrenOf context: ContextID) {
    for child in contexts[context.index].children {
      enqueueAutomaticMerge(of: number, into: child)
    }
  }

  private mutating func enqueueAutomaticMerge(of number: Int, into target: ContextID) {
    guard contexts[target.index].automaticallyMergesChangesFromParent else { return }
    assert(didSaves.indices.contains(number), "nothing was posted under number \(number)")
    enqueue(frame(for: .merge(target, number: number)), on: queue(of: target))
  }
}

extension AddressedStep {
  /// Whether others may go before it begins, as they may in a block: what was enqueued earlier may
  /// have run to its end by then.
  fileprivate var takesTurn: Bool {
    switch step {
    case .perform, .performBackgroundTask, .async, .suspend, .resume, .sleep, .kill: true
    default: false
    }
  }
}
