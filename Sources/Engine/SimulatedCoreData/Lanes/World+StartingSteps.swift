import ObjectModel
package import SimulatedDispatch
package import Vocabulary

/// The beginning of steps. A step becomes an operation on its lane, a block for which the lane
/// waits, or a block that is enqueued elsewhere.
extension World {
  /// Begins a step: as an operation on the lane, or as a block here or elsewhere. §begin-step
  mutating func start(_ step: AddressedStep, on lane: LaneID, within block: Frame.Block?) {
    let context = step.context
    if notesWrites { noteBegin(of: step) }
    switch step.step {
    case .perform(let steps):  // §perform
      enqueue(plan(of: context, steps, isEvent: true, within: block))
    case .performAndWait(let steps):  // §perform-and-wait
      wait(for: plan(of: context, steps, within: block), on: lane)
    case .call(let entryPoint): call(entryPoint, on: context, lane, within: block)
    case .performBackgroundTask(let steps):  // §background-task
      // The context ends with the block. So no event ends, and the context is discarded.
      var inner = plan(of: context, steps + [AddressedStep(context, .discard)], within: block)
      inner.holdsNoContext = true
      enqueue(inner)
    case .async(let queue, let steps):  // §dispatch-async
      enqueue(plan(onQueueOfApp: queue, steps, within: block))
    case .sync(let queue, let steps):  // §dispatch-sync
      wait(for: plan(onQueueOfApp: queue, steps, within: block), on: lane)
    case .directly(let steps): runDirectly(steps, of: context, on: lane, within: block)
    case .when(let condition, let steps):
      start(steps, if: condition, for: context, on: lane, within: block)
    case .trying(let steps):  // §try
      push(steps, within: block, for: context, on: lane, errorScope: .block)
    case .tick where isAtHome(context, on: lane, within: block):  // §tick
      for index in graph.contexts.indices.reversed() where queues.ofContexts[index] == queues.main {
        dispatcher.push(frame(for: .endOfEvent(ContextID(index))), on: lane)
      }
    case .suspend(let queue): suspend(queue, of: context)
    case .resume(let queue): resume(queue, of: context)
    case .setFlag(let flag, let isRaised): set(flag, to: isRaised)
    case .enter, .leave, .wait, .notify: startStepOfGroup(step, on: lane, within: block)
    case .discard where !releasesAtOnce(of: context, lane):
      release(step, on: lane, within: block)
    case .kill:
      abandonLanes()
      dispatcher.push(frame(for: .step(step, .whole)), on: driver)
    case .sleep(let milliseconds):  // §sleep
      // An empty frame keeps the lane busy until it wakes.
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
        // §begin-step.6
        wait(for: plan(of: context, [step], within: block), on: lane)
        return
      }
      dispatcher.push(
        frame(for: action(for: step, delivered: block?.delivered)), on: lane)
    }
  }

  /// Calls an entry point. §call-entry-point
  private mutating func call(
    _ entryPoint: EntryPointID, on context: ContextID, _ lane: LaneID, within block: Frame.Block?
  ) {
    var inner = plan(of: context, stack.entryPoints[entryPoint.index].steps, within: block)
    inner.errorScope = .step
    if inner.author == .program {
      inner.author = .entryPoint(entryPoint)
      if notesWrites {
        calls.append(Call(entryPoint: entryPoint, context: context, lane: lane))
      }
    }
    wait(for: inner, on: lane)
  }

  /// Runs steps directly on the lane, without taking a queue. §directly
  private mutating func runDirectly(
    _ steps: [AddressedStep], of context: ContextID, on lane: LaneID, within block: Frame.Block?
  ) {
    var inner = plan(of: context, steps, within: block)
    inner.isDirect = true
    dispatcher.push(.block(.init(inner)), on: lane)
  }

  /// Tests a condition. The lane has the context's queue, so nothing changes between the question
  /// and the first step. §when
  private mutating func start(
    _ steps: [AddressedStep], if condition: Condition, for context: ContextID, on lane: LaneID,
    within block: Frame.Block?
  ) {
    let isTrue: Bool
    switch condition.question {
    case .onMainThread: isTrue = dispatcher.owner(of: queues.main) == lane
    case .offMainThread: isTrue = dispatcher.owner(of: queues.main) != lane
    case .found: isTrue = lanesThatFound.contains(lane)
    case .isRaised(let flag): isTrue = isRaised(flag)
    case .hasChanges:
      guard isAtHome(context, on: lane, within: block) else {
        if block?.isDirect == true {
          dispatcher.push(frame(for: .wrongQueue(context)), on: lane)
        } else {
          let step = AddressedStep(context, .when(condition, steps))
          wait(for: plan(of: context, [step], within: block), on: lane)
        }
        return
      }
      if graph.hasChanges(context) != condition.isNegated {
        push(steps, within: block, for: context, on: lane)
      }
      dispatcher.push(frame(for: .step(AddressedStep(context, .hasChanges), .whole)), on: lane)
      return
    }
    if isTrue != condition.isNegated { push(steps, within: block, for: context, on: lane) }
  }

  /// Runs steps as a part of a block, on the queue of the block. Without a block, they use no
  /// queue.
  private mutating func push(
    _ steps: [AddressedStep], within block: Frame.Block?, for context: ContextID, on lane: LaneID,
    errorScope: Frame.ErrorScope = .surrounding
  ) {
    var part = plan(of: context, steps, within: block)
    part.errorScope = errorScope
    part.context = block?.context
    part.queue = block?.queue ?? part.queue
    part.isDirect = block?.isDirect ?? false
    dispatcher.push(.block(.init(part)), on: lane)
  }

  /// Decides whether a step for `context` needs no other queue. No other queue is needed in a block
  /// of the context, or in a direct block while the lane has the context's queue (CC-12). §at-home
  private func isAtHome(
    _ context: ContextID, on lane: LaneID, within block: Frame.Block?
  ) -> Bool {
    guard let block else { return false }
    return block.isDirect ? hasQueue(of: context, lane) : block.context == context
  }

  /// Decides whether the lane has the context's queue. A lane does not have the queue while its
  /// block runs on the main thread. §queues
  package func hasQueue(of context: ContextID, _ lane: LaneID) -> Bool {
    let queue = queue(of: context)
    return dispatcher.owns(lane, queue) && !dispatcher.isBehind(queue, lane)
  }

  /// Returns the action of a step. A merge step finds its DidSave first. §merge-step
  func action(for step: AddressedStep, delivered: Int?) -> Action {
    switch step.step {
    case .save: .step(step, .flush)
    case .mergeChanges(let source):
      if let number = graph.number(of: source, delivered: delivered) {
        .merge(step.context, number: number)
      } else {
        .step(step, .whole)
      }
    case .mergeRemoteChanges(let source):
      if let number = graph.number(of: source, delivered: delivered) {
        .mergeRemote(step.context, number: number)
      } else {
        .step(step, .whole)
      }
    case .forEach(let set, let treatment):
      .step(AddressedStep(step.context, .forEach(set.saved(as: delivered), treatment)), .whole)
    case .remember(let variable, let set):
      .step(AddressedStep(step.context, .remember(variable, set.saved(as: delivered))), .whole)
    default: .step(step, .whole)
    }
  }

  mutating func finishBlockIfIdle(_ lane: LaneID) {
    guard dispatcher.frameCount(of: lane) == 0, lane != driver else { return }
    queues.finishedCount += 1
    assert(queues.finishedCount <= queues.enqueuedCount, "a block ends that was not enqueued")
    dispatcher.finishBlock(on: lane)
  }

  private mutating func enqueue(_ plan: Frame.Plan) {
    enqueue(.block(.init(plan)), on: plan.queue)
  }

  // MARK: Blocks

  func plan(
    of context: ContextID, _ steps: [AddressedStep], isEvent: Bool = false,
    within block: Frame.Block?
  ) -> Frame.Plan {
    Frame.Plan(
      queue: queue(of: context), context: context, steps: steps, isEvent: isEvent,
      delivered: block?.delivered, author: block?.author ?? .program,
      callCount: block?.callCount ?? calls.count)
  }

  private func plan(
    onQueueOfApp queue: AppQueueID, _ steps: [AddressedStep], within block: Frame.Block?
  ) -> Frame.Plan {
    Frame.Plan(
      queue: queues.ofApp[queue.index], steps: steps, delivered: block?.delivered,
      author: block?.author ?? .program, callCount: block?.callCount ?? calls.count)
  }

  /// Takes the queue of a block, runs the block, and releases the queue.
  private mutating func wait(for plan: Frame.Plan, on lane: LaneID) {
    dispatcher.push(.wait(.init(plan), hasQueue: false), on: lane)
  }

  mutating func enqueue(_ frame: Frame, on queue: QueueID) {
    queues.enqueuedCount += 1
    put(frame, on: queue)
  }

  /// Adds a block to the line of a queue. The block already counts as enqueued.
  mutating func put(_ frame: Frame, on queue: QueueID) {
    if notesWrites { enqueuedOn.append(queue) }
    if bugs.contains(.dropsQueuedBlock), dispatcher.owner(of: queue) != nil { return }
    if dispatcher.isSuspended(queue) {
      graph.marks.insert(.blockIsHeldBack)
      if bugs.contains(.dropsBlockOfSuspendedQueue) { return }
    }
    if bugs.contains(.newestBlockRunsFirst) {
      dispatcher.asyncFirst(frame, on: queue)
    } else {
      dispatcher.async(frame, on: queue)
    }
  }
}
