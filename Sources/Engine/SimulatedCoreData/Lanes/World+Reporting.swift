import ObjectModel
package import SimulatedDispatch
package import Vocabulary

/// The present activities of each lane in terms of the program, for reports about queues.
extension World {
  /// The cause of an action.
  package enum Origin: Hashable, Sendable {
    case program, observer, automaticMerge
  }

  /// A present activity of a lane: a block that it runs, or a step that it has begun.
  package struct Activity: Hashable, Sendable {
    package enum Subject: Hashable, Sendable {
      case step(AddressedStep)
      /// A later phase of a save, or an action without a step, such as the end of an event or an
      /// automatic merge.
      case action(Action)
    }

    package let subject: Subject
    /// The queues that the activity has taken or waits for, in this order.
    package let queues: [QueueID]
  }

  /// A call of an entry point by a step of the program. `lane` performs the call on `context`.
  package struct Call: Hashable, Sendable {
    package let entryPoint: EntryPointID
    package let context: ContextID
    package let lane: LaneID
  }

  /// Returns the origin of the action that `lane` has just performed.
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

  /// Returns the author of the step that `lane` is taking.
  package func author(of lane: LaneID) -> Author {
    let frames = dispatcher.frames(of: lane)
    for case .block(let block) in frames.reversed() { return block.author }
    if case .operation(let operation) = frames.first { return operation.author }
    return .program
  }

  /// Returns a Boolean value that indicates whether `lane` is in a called entry point with work
  /// left. The work left is a step, or the next phase of a save.
  package func isInUnfinishedCall(_ lane: LaneID) -> Bool {
    let frames = dispatcher.frames(of: lane)
    let start = frames.firstIndex { frame in
      if case .block(let block) = frame { block.errorScope == .step } else { false }
    }
    return frames[(start ?? frames.count)...].contains(where: hasStepToCome)
  }

  /// Returns a Boolean value that indicates whether the frame has a step left, or a phase of its
  /// save.
  func hasStepToCome(_ frame: Frame) -> Bool {
    switch frame {
    case .block(let block): block.next < block.steps.count
    case .wait(_, let hasQueue): !hasQueue
    case .operation(let operation):
      !operation.isPerformed || operation.continues && nextPhase(after: operation.action) != nil
    case .delivery, .code: false
    }
  }

  /// Returns a Boolean value that indicates whether blocks of the author are unfinished. A block is
  /// unfinished while it waits for its queue, and while the block, or work it has started on its
  /// lane, has steps left.
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

  /// Returns the author of the step for which `lane` waits. A call that waits for the queue of its
  /// context belongs to the caller, because the entry point has not begun.
  package func authorOfWait(of lane: LaneID) -> Author {
    let frames = dispatcher.frames(of: lane)
    guard case .block(let block)? = frames.last, case .entryPoint = block.author, block.next == 0,
      dispatcher.waits(of: lane) == block.queue
    else { return author(of: lane) }
    for case .block(let caller) in frames.dropLast().reversed() { return caller.author }
    return .program
  }

  /// Returns the author of the step by which `lane` waits for a running block on the queue. For a
  /// call, the author is the caller, as in `authorOfWait`.
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

  /// Returns the number of entry-point calls that had begun when the block that `lane` runs was
  /// made. For the driver, and for a lane without a block, returns the present number.
  package func callCount(of lane: LaneID) -> Int {
    guard lane != driver, case .block(let block)? = dispatcher.frames(of: lane).first else {
      return calls.count
    }
    return block.callCount
  }

  /// Returns the step that `lane` has begun last in a block.
  package func latestStep(of lane: LaneID) -> AddressedStep? {
    for case .block(let block) in dispatcher.frames(of: lane).reversed() where block.next > 0 {
      return block.steps[block.next - 1]
    }
    return nil
  }

  /// Returns the activities of `lane`, outermost first. `submitted` is the program's present step.
  package func activities(of lane: LaneID, submitted: AddressedStep?) -> [Activity] {
    var activities: [Activity] = []
    // The present step of the block below, or the submitted step.
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
        // An automatic merge or the end of an event, without a block below, runs on the context's
        // queue.
        let own = depth == 0 && lane != driver ? [queue(of: operation.action.context)] : []
        let taken = queuesNeeded(for: operation).prefix(operation.takenCount)
        activities.append(Activity(subject: .action(operation.action), queues: own + taken))
      case .delivery:
        // A wait for a group is an empty delivery.
        if let group = dispatcher.waits(of: lane), isGroup(group), let step {
          activities.append(Activity(subject: .step(step), queues: [group]))
        }
      case .code: break
      }
    }
    return activities
  }

  /// The reason why a lane waits for a queue.
  package enum WaitReason: Hashable, Sendable {
    /// A step names the queue, or a context of the queue.
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

  /// Returns a Boolean value that indicates whether `lane` waits for a coordinator with SQLite
  /// stores only, to read. Readers have separate connections to SQLite stores (CC-14).
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

  /// Returns a Boolean value that indicates whether the lane's work belongs to a block. An
  /// automatic merge is in no block.
  private func isInBlock(_ lane: LaneID) -> Bool {
    dispatcher.frames(of: lane).contains { if case .block = $0 { true } else { false } }
  }

  /// Returns the call that enqueued a block.
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

  /// Returns the name of the queue on which the lane's block runs, or the name of the lane outside
  /// of blocks.
  package func place(of lane: LaneID) -> String {
    for case .block(let block) in dispatcher.frames(of: lane).reversed()
    where !block.isDirect && !block.isSubmission {
      return name(of: block.queue)
    }
    return name(of: lane)
  }

  // MARK: The main queue

  /// A period in which a lane owns the main queue.
  package struct MainQueueHold: Hashable, Sendable {
    package let lane: LaneID
    let since: Int
    /// The number of finished blocks, which separates the holds of successive blocks of one worker.
    let finishedBlockCount: Int

    /// Returns a Boolean value that indicates whether this hold continues `other`, if the owner has
    /// ended no block in between.
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

  /// The number of milliseconds for which the main queue's owner has owned it.
  package var mainQueueHoldingTime: Int { dispatcher.holdingTime(of: queues.main) }

  package func ownsMainQueue(_ lane: LaneID) -> Bool { dispatcher.owns(lane, queues.main) }
}

extension Frame {
  /// A Boolean value that indicates whether observers are still to be called.
  fileprivate var isDelivery: Bool {
    if case .delivery(let delivery) = self { !delivery.calls.isEmpty } else { false }
  }
}
