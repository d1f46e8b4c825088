import ObjectModel
package import SimulatedDispatch
package import Vocabulary

/// What each lane is in the middle of, in words of the program: what a report on queues says.
extension World {
  /// Why an action is performed.
  package enum Origin: Hashable, Sendable {
    case program, observer, automaticMerge
  }

  /// One thing that a lane is in the middle of: a block that it runs, or a step that it has begun.
  package struct Activity: Hashable, Sendable {
    package enum Subject: Hashable, Sendable {
      case step(AddressedStep)
      /// A later part of a save, or what no step says: the end of an event, an automatic merge.
      case action(Action)
    }

    package let subject: Subject
    /// The queues that it has taken or waits for, in this order.
    package let queues: [QueueID]
  }

  /// A call of an entry point by a step of the program, on a context, which `lane` performs.
  package struct Call: Hashable, Sendable {
    package let entryPoint: EntryPointID
    package let context: ContextID
    package let lane: LaneID
  }

  /// Of the action that `lane` has just performed.
  package func origin(of lane: LaneID) -> Origin {
    let frames = dispatcher.frames(of: lane)
    for case .block(let block) in frames.reversed() {
      return block.author.isObserver ? .observer : .program
    }
    if case .operation(let operation) = frames.first, case .merge = operation.action {
      return .automaticMerge
    }
    return .program
  }

  /// The author of the step that `lane` is taking.
  package func author(of lane: LaneID) -> Author {
    let frames = dispatcher.frames(of: lane)
    for case .block(let block) in frames.reversed() { return block.author }
    if case .operation(let operation) = frames.first { return operation.author }
    return .program
  }

  /// Whether `lane` is in an entry point that a step has called, with something of it to come: a
  /// step, or the next phase of a save.
  package func isInUnfinishedCall(_ lane: LaneID) -> Bool {
    let frames = dispatcher.frames(of: lane)
    let start = frames.firstIndex { frame in
      if case .block(let block) = frame { block.errorScope == .step } else { false }
    }
    return frames[(start ?? frames.count)...].contains(where: hasStepToCome)
  }

  /// A Boolean value that indicates whether a step of the frame is to come, or the next phase of
  /// its save.
  func hasStepToCome(_ frame: Frame) -> Bool {
    switch frame {
    case .block(let block): block.next < block.steps.count
    case .wait(_, let hasQueue): !hasQueue
    case .operation(let operation):
      !operation.isPerformed || operation.continues && nextPhase(after: operation.action) != nil
    case .delivery, .code: false
    }
  }

  /// A Boolean value that indicates whether blocks of the author are not done: one that waits for
  /// its queue, or one with a step to come, in itself or in what it has set off on its lane.
  package func isAtWork(_ author: Author) -> Bool {
    for index in 0..<dispatcher.laneCount {
      let lane = LaneID(index: index)
      let frames = dispatcher.frames(of: lane)
      let first = frames.firstIndex { frame in
        switch frame {
        case .block(let block), .wait(let block, hasQueue: _): block.author == author
        case .operation, .delivery, .code: false
        }
      }
      if let first,
        frames[first...].contains(where: { hasStepToCome($0) || $0.isDelivery })
      {
        return true
      }
      var waits = false
      dispatcher.forEachBlock(awaiting: lane) { frame in
        if case .block(let block) = frame, block.author == author, !block.steps.isEmpty {
          waits = true
        }
      }
      if waits { return true }
    }
    return false
  }

  /// The author of the step for which `lane` waits. A call that waits for its own context's queue
  /// is a step of the caller: the entry point has not begun.
  package func authorOfWait(of lane: LaneID) -> Author {
    let frames = dispatcher.frames(of: lane)
    guard case .block(let block)? = frames.last, case .entryPoint = block.author, block.next == 0,
      dispatcher.waits(of: lane) == block.queue
    else { return author(of: lane) }
    for case .block(let caller) in frames.dropLast().reversed() { return caller.author }
    return .program
  }

  /// The author of the step by which `lane` waits for a block on the queue, which has begun. Of a
  /// call that is the caller, as in `authorOfWait`.
  package func authorOfBlock(on queue: QueueID, awaitedBy lane: LaneID) -> Author {
    let frames = dispatcher.frames(of: lane)
    for (depth, frame) in frames.enumerated() {
      guard case .wait(let block, hasQueue: true) = frame, block.queue == queue else { continue }
      if block.errorScope != .step { return block.author }
      for case .block(let caller) in frames[..<depth].reversed() { return caller.author }
      return .program
    }
    return author(of: lane)
  }

  /// How many calls of entry points had begun when the program came to the block that `lane`
  /// runs: those that it had made before.
  package func callCount(of lane: LaneID) -> Int {
    guard lane != driver, case .block(let block)? = dispatcher.frames(of: lane).first else {
      return calls.count
    }
    return block.callCount
  }

  /// The step that `lane` has begun last in a block.
  package func latestStep(of lane: LaneID) -> AddressedStep? {
    for case .block(let block) in dispatcher.frames(of: lane).reversed() where block.next > 0 {
      return block.steps[block.next - 1]
    }
    return nil
  }

  /// What `lane` is in the middle of, outermost first. `submitted` is the program's present step.
  package func activities(of lane: LaneID, submitted: AddressedStep?) -> [Activity] {
    var activities: [Activity] = []
    // A step of the block below, or what was submitted.
    var step = lane == driver ? submitted : nil
    for (depth, frame) in dispatcher.frames(of: lane).enumerated() {
      switch frame {
      case .block(let block):
        if block.isSubmission { continue }
        if depth == 0 {
          activities.append(Activity(subject: .step(call(of: block)), queues: [block.queue]))
        }
        step = block.next > 0 ? block.steps[block.next - 1] : nil
      case .wait(let block, hasQueue: _):
        activities.append(Activity(subject: .step(step ?? call(of: block)), queues: [block.queue]))
      case .operation(let operation):
        // An automatic merge or the end of an event, without a block below, runs on its own queue.
        let own = depth == 0 && lane != driver ? [queue(of: operation.action.context)] : []
        let taken = queuesNeeded(for: operation).prefix(operation.takenCount)
        activities.append(Activity(subject: .action(operation.action), queues: own + taken))
      case .delivery:
        // A wait for a group has no frame of its own.
        if let group = dispatcher.waits(of: lane), isGroup(group), let step {
          activities.append(Activity(subject: .step(step), queues: [group]))
        }
      case .code: break
      }
    }
    return activities
  }

  /// Why a lane waits for a queue.
  package enum WaitReason: Hashable, Sendable {
    /// A step names the queue, or a context of it.
    case named
    /// The action asks a parent or a coordinator (CC-06, CC-14).
    case above
    case automaticMerge
  }

  package func reason(
    ofWaitFor queue: QueueID, in lane: LaneID, submitted: AddressedStep?
  ) -> WaitReason {
    let waiting = activities(of: lane, submitted: submitted).last { $0.queues.last == queue }
    switch waiting?.subject {
    case .step(let step):
      let isNamed =
        step.step.traits.contains(.runsOnAppQueue) || step.step.group != nil
        || self.queue(of: step.context) == queue
      return isNamed ? .named : .above
    case .action(.merge) where !isInBlock(lane), nil: return .automaticMerge
    case .action(let action): return self.queue(of: action.context) == queue ? .named : .above
    }
  }

  /// Whether `lane` waits for a coordinator whose stores are all SQLite stores, for a request that
  /// only reads: there readers have connections of their own (CC-14).
  package func passesTheWriter(_ lane: LaneID) -> Bool {
    guard let queue = dispatcher.waits(of: lane),
      let coordinator = queues.ofCoordinators.firstIndex(of: queue),
      case .operation(let operation)? = dispatcher.frames(of: lane).last
    else { return false }
    if stack.coordinators[coordinator].stores.contains(where: { stack.stores[$0.index].isInMemory })
    {
      return false
    }
    guard case .step(let step, _) = operation.action else { return true }
    switch step.step {
    case .save, .batch, .obtainPermanentIDs, .removeStore, .addStore,
      .destroyStore, .setMetadata:
      return false
    default: return true
    }
  }

  /// Whether a step has begun what the lane does: an automatic merge is in no block.
  private func isInBlock(_ lane: LaneID) -> Bool {
    dispatcher.frames(of: lane).contains { if case .block = $0 { true } else { false } }
  }

  /// The call that enqueued a block.
  private func call(of block: Frame.Block) -> AddressedStep {
    if let context = block.context {
      if block.isEvent { return AddressedStep(context, .perform(block.steps)) }
      if block.steps.last?.step == .discard {
        return AddressedStep(context, .performBackgroundTask(Array(block.steps.dropLast())))
      }
      return AddressedStep(context, .performAndWait(block.steps))
    }
    let queue = queues.ofApp.firstIndex(of: block.queue) ?? 0
    let context = block.steps.first?.context ?? ContextID(0)
    return AddressedStep(context, .async(AppQueueID(queue), block.steps))
  }

  /// Where the block that `lane` is in runs: its queue, or the lane itself.
  package func place(of lane: LaneID) -> String {
    for case .block(let block) in dispatcher.frames(of: lane).reversed()
    where !block.isDirect && !block.isSubmission {
      return name(of: block.queue)
    }
    return name(of: lane)
  }

  // MARK: The main queue

  /// One hold of the main queue: from when a lane took it until the lane gives it back.
  package struct MainQueueHold: Hashable, Sendable {
    package let lane: LaneID
    let since: Int
    /// The next block of the same worker is another hold.
    let finishedBlockCount: Int

    /// Whether it is `other`, if its owner has ended no block since.
    package func goesOn(from other: MainQueueHold) -> Bool {
      lane == other.lane && since == other.since
    }
  }

  package var mainQueueHold: MainQueueHold? {
    dispatcher.owner(of: queues.main).map {
      MainQueueHold(
        lane: $0,
        since: dispatcher.now.milliseconds - dispatcher.holdingTime(of: queues.main),
        finishedBlockCount: queues.finishedCount)
    }
  }

  /// For how many milliseconds the main queue's owner has had it.
  package var mainQueueHoldingTime: Int { dispatcher.holdingTime(of: queues.main) }

  package func ownsMainQueue(_ lane: LaneID) -> Bool { dispatcher.owns(lane, queues.main) }
}

extension Frame {
  /// A Boolean value that indicates whether observers are still to be called.
  fileprivate var isDelivery: Bool {
    if case .delivery(let delivery) = self { !delivery.calls.isEmpty } else { false }
  }
}
