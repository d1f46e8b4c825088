import Determinism
import ObjectModel
package import SimulatedDispatch
package import Vocabulary

/// Steps as frames on lanes.
///
/// A step on a context runs while its lane owns the context's queue. To ask the levels above, the
/// lane also takes the parent's queue, the grandparent's, and so on. Last, it takes the
/// coordinator's lock (CC-06, CC-14). Each queue is a separate wait. Then the step runs without
/// interruption, observers are called, and the queues are released. A save does all this in each of
/// its phases.
extension World {
  /// Submits the next step of the program to the driver, which must be idle. §submit
  package mutating func submit(_ step: AddressedStep) {
    precondition(dispatcher.frameCount(of: driver) == 0, "the driver is still busy")
    guard step.takesTurn else { return start(step, on: driver, within: nil) }
    var submission = plan(of: step.context, [step], within: nil)
    submission.isSubmission = true
    dispatcher.push(.block(.init(submission)), on: driver)
  }

  package var isDriverIdle: Bool { dispatcher.frameCount(of: driver) == 0 }

  /// Decides whether other lanes may take turns before the lane's next turn. Other lanes may where
  /// Core Data synchronises, before a step about a flag or group, and before a kill.
  package func isAtSynchronisationPoint(_ lane: LaneID) -> Bool {
    switch dispatcher.top(of: lane) {
    case nil: true
    case .block(let block):
      if block.next < block.steps.count {
        switch block.steps[block.next].step {
        case .perform, .performAndWait, .performBackgroundTask, .async, .sync, .call, .sleep,
          .suspend, .resume, .kill, .discard:
          true
        // No queue protects a flag or a group of the app. §set-flag.1
        case let step: block.next == 0 || step.isUnprotected
        }
      } else {
        true
      }
    case .wait(_, let hasQueue): !hasQueue
    case .operation(let operation):
      !operation.isPerformed
        && (operation.takenCount
          < queueCount(within: reach(of: operation), above: operation.context)
          || isEnqueuedMerge(operation, on: lane))
    case .delivery: false
    case .code: true
    }
  }

  /// Decides whether an automatic merge begins. Other lanes may take turns before it, as before a
  /// block.
  private func isEnqueuedMerge(_ operation: Frame.Operation, on lane: LaneID) -> Bool {
    operation.isMerge && operation.takenCount == 0 && dispatcher.frameCount(of: lane) == 1
  }

  /// Performs the next turn of a runnable lane.
  package mutating func advance(_ lane: LaneID) -> Progress {
    guard let frame = dispatcher.top(of: lane) else {
      preconditionFailure("lane \(lane.index) has nothing to do")
    }
    assert(dispatcher.canRun(lane), "lane \(lane.index) waits or sleeps")
    dispatcher.noteRan(lane)
    if notesWrites {
      enqueuedOn.removeFew()
      begunStep = nil
    }
    switch consume frame {
    case .block(let block): return advance(block, on: lane)
    case .wait(let block, let hasQueue): return advance(block, hasQueue: hasQueue, on: lane)
    case .operation(let operation): return advance(operation, on: lane)
    case .delivery(let delivery): return advance(delivery, on: lane)
    // The embedder runs the code.
    case .code: return .moved
    }
  }

  /// Returns the queues needed by the action that the lane is about to perform, nearest first.
  /// Returns `nil` if the lane is not about to perform an action.
  package func queuesNeeded(on lane: LaneID) -> [QueueID]? {
    guard case .operation(let operation)? = dispatcher.top(of: lane) else { return nil }
    return queuesNeeded(for: operation)
  }

  /// Moves the clock to the next deadline. Returns `false` without a deadline.
  package mutating func wake() -> Bool { dispatcher.advanceTime() }

  // MARK: Blocks

  /// Begins the next step of a block, or ends the block. §run-block
  private mutating func advance(_ block: consuming Frame.Block, on lane: LaneID) -> Progress {
    if block.next < block.steps.count {
      let step = block.steps[block.next]
      if block.isSubmission {
        _ = dispatcher.pop(lane)
        start(step, on: lane, within: nil)
      } else {
        block.next += 1
        dispatcher.replaceTop(of: lane, with: .block(block))
        start(step, on: lane, within: block)
      }
      return dispatcher.waits(of: lane) == nil ? .moved : .blocked
    }
    _ = dispatcher.pop(lane)
    if block.isEvent, let context = block.context {
      dispatcher.push(frame(for: .endOfEvent(context)), on: lane)
    } else {
      finishBlockIfIdle(lane)
    }
    return .moved
  }

  /// Takes the queue of a block for which the lane waits, or releases it. §perform-and-wait
  private mutating func advance(
    _ block: Frame.Block, hasQueue: Bool, on lane: LaneID
  ) -> Progress {
    let queue = block.queue
    if !hasQueue {
      dispatcher.replaceTop(of: lane, with: .wait(block, hasQueue: true))
      // `performAndWait` can be nested (CC-02), and dispatch_sync cannot. §dispatch-sync.1
      switch acquire(queue, for: lane, isReentrant: block.context != nil) {
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

  /// Applies `nestedWaitKeepsQueue`, on the program's thread alone. A block on a worker must end
  /// with no other queue than the one it runs on.
  private func forgetsRelease(of queue: QueueID, by lane: LaneID) -> Bool {
    guard bugs.contains(.nestedWaitKeepsQueue), lane == driver else { return false }
    return dispatcher.frames(of: lane).contains { frame in
      if case .wait(let outer, hasQueue: true) = frame { outer.queue == queue } else { false }
    }
  }

  // MARK: Operations

  func frame(for action: Action, author: Author = .program) -> Frame {
    .operation(.init(work(action, reach: reach(of: action), author: author)))
  }

  /// Takes the queues of an action one by one, performs it, and releases them. §perform-action
  private mutating func advance(
    _ operation: consuming Frame.Operation, on lane: LaneID
  ) -> Progress {
    let needs = queuesNeeded(for: operation)
    if operation.isPerformed {
      for queue in needs.reversed() { dispatcher.release(queue, by: lane) }
      _ = dispatcher.pop(lane)
      if operation.continues, !operation.isOnePhase, let next = nextPhase(after: operation.action) {
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
      switch dispatcher.acquire(queue, for: lane, mayPass: !operation.action.surelyAsksAbove) {
      case .granted, .reentrant: return .moved
      case .waiting, .deadlock: return .blocked
      }
    }
    assert(
      needs.allSatisfy { dispatcher.owner(of: $0) == lane },
      "lane \(lane.index) acts without a queue that it needs")
    let action = operation.action
    let calls = performAction(action, on: lane, &operation.continues)
    operation.isPerformed = true
    dispatcher.replaceTop(of: lane, with: .operation(operation))
    if graph.result.events.haveFailure { passOverRestOfTry(on: lane) }
    beginDelivery(calls, on: lane)
    // §perform-action.7
    dispatcher.sleep(lane, milliseconds: graph.result.storeAccess.duration(by: stack.timing))
    return .performed(action)
  }

  /// Performs one action, and returns the observers to call for its notifications. Sets `continues`
  /// to `false` if a save does not continue with its next phase. §perform-action.3
  mutating func performAction(
    _ action: Action, on lane: LaneID, _ continues: inout Bool
  ) -> [Frame.Delivery.Call] {
    continues = act { $0.perform(action) }
    noteAnswer(to: action, on: lane)
    if !graph.result.automaticMerges.isEmpty { enqueueAutomaticMerges() }
    var calls = callsToObservers()
    if !calls.isEmpty { calls += graph.holdDelivered().map { .end($0) } }
    graph.collect()
    #if DEBUG
      // A run of code checks the invariants only at its end, which halves its duration in a debug
      // build.
      if code == nil { checkInvariants() }
    #endif
    return calls
  }

  mutating func beginDelivery(_ calls: [Frame.Delivery.Call], on lane: LaneID) {
    if !calls.isEmpty { dispatcher.push(.delivery(.init(calls: calls)), on: lane) }
  }

  /// Returns the phase of a save that follows an action, or `nil` after the last phase. §save
  func nextPhase(after action: Action) -> Action? {
    guard case .step(let step, let phase) = action else { return nil }
    switch phase {
    case .flush: return .step(step, .willSave)
    case .willSave: return .step(step, .commit)
    case .commit: return .step(step, .finish)
    case .finish, .whole: return nil
    }
  }
}

extension AddressedStep {
  /// True if other lanes may take turns before the step, as they may in a block. Blocks that were
  /// enqueued earlier may have run to their end by then. §submit.1
  fileprivate var takesTurn: Bool {
    switch step {
    case .perform, .performBackgroundTask, .async, .suspend, .resume, .sleep, .kill: true
    case let step: step.isUnprotected
    }
  }
}
