package import SimulatedDispatch
import Vocabulary

/// Estimates of the next work of lanes, for strategies that weigh schedules. The estimates are
/// cheap and approximate. A turn lasts from one synchronisation point of Core Data to the next.
///
/// Blocks and waits are counted exactly: the beginning and the end of each block, each wait for a
/// queue, and each block that will be enqueued. The levels that a step will ask depend on the
/// contents of its context at that time. Here each step counts what its kind usually needs.
extension World: SchedulingOutlook {
  package var laneCount: Int { dispatcher.laneCount }

  package var queueCount: Int { dispatcher.queueCount }

  package func turnsLeft(of lane: LaneID, on queues: QueueSet) -> Int {
    var count = 0
    for frame in dispatcher.frames(of: lane) { count += turns(of: frame, on: queues) }
    var countOfLine = 0
    dispatcher.forEachBlock(awaiting: lane, limit: World.outlookLimit) {
      countOfLine += turns(of: $0, on: queues)
    }
    let length = dispatcher.lineCount(awaiting: lane)
    // Assume that the rest of a longer line is like its beginning.
    if length > World.outlookLimit { countOfLine = countOfLine * length / World.outlookLimit }
    return count + countOfLine
  }

  /// The number of places in a line that the outlook examines. A line that observers keep extending
  /// would otherwise make every turn more expensive.
  private static let outlookLimit = 64

  package func nextTurn(of lane: LaneID) -> QueueSet {
    switch dispatcher.top(of: lane) {
    case .block(let block):
      if block.isSubmission { return queuesToBegin(block.steps[0], within: block) }
      guard block.next < block.steps.count else { return QueueSet(block.queue) }
      return QueueSet(block.queue).union(queuesToBegin(block.steps[block.next], within: block))
    case .wait(let block, hasQueue: _): return QueueSet(block.queue)
    case .operation(let operation):
      return queuesOfTurn(of: operation.action, reaching: reach(of: operation))
    case .delivery, nil: return QueueSet()
    // The next step of code is unknown.
    case .code: return .all
    }
  }

  // MARK: Queues

  /// Returns the queues of a turn that takes one of the queues within `reach`, or performs the
  /// action.
  func queuesOfTurn(of action: Action, reaching reach: Reach) -> QueueSet {
    let own = QueueSet(queue(of: action.context))
    return reach == .here ? own : own.union(queues.aboveContexts[action.context.index].set)
  }

  /// Returns the queues that a step uses before its lane stops again.
  private func queuesToBegin(_ step: AddressedStep, within block: Frame.Block) -> QueueSet {
    switch step.step {
    case .perform, .performBackgroundTask, .notify: QueueSet(queue(of: step.context))
    case .async(let queue, _): QueueSet(queues.ofApp[queue.index])
    case .kill: .all
    case .performAndWait, .sync, .call, .directly, .sleep, .setFlag, .enter, .leave, .wait:
      QueueSet()
    case .when(let condition, _) where condition.question != .hasChanges: QueueSet()
    default: block.context == step.context ? QueueSet(queue(of: step.context)) : QueueSet()
    }
  }

  // MARK: Counts

  private func turns(of frame: Frame, on selected: QueueSet) -> Int {
    switch frame {
    case .block(let block): turns(of: block, on: selected)
    case .wait(let block, let hasQueue):
      hasQueue
        ? 0 : turns(of: block, on: selected) + (selected.meets(QueueSet(block.queue)) ? 1 : 0)
    case .operation(let operation): turns(of: operation, on: selected)
    case .code: 1
    case .delivery(let delivery):
      delivery.calls.reduce(0) { count, call in
        guard case .observer(let index, delivered: _) = call else { return count }
        let observer = stack.observers[index]
        return count
          + turns(
            of: observer.steps, on: queue(of: observer.context), context: observer.context, selected
          )
      }
    }
  }

  private func turns(of block: Frame.Block, on selected: QueueSet) -> Int {
    if block.isSubmission { return turns(ofSubmission: block.steps[0], on: selected) }
    return turns(
      of: block.steps, from: block.next, on: block.queue, context: block.context, selected)
  }

  /// Returns the turn that begins the step, and the turns of the work that it begins.
  private func turns(ofSubmission step: AddressedStep, on selected: QueueSet) -> Int {
    let own = turns(of: step, isFirst: false, context: step.context, selected)
    switch step.step {
    case .perform, .performBackgroundTask, .notify, .async, .kill: return own
    default: return own + (selected == .all ? 1 : 0)
    }
  }

  /// Returns the turns of a block whose next step is `next`.
  private func turns(
    of steps: [AddressedStep], from next: Int = 0, on queue: QueueID, context: ContextID?,
    _ selected: QueueSet
  ) -> Int {
    let isSelected = selected.meets(QueueSet(queue))
    // The end of the block, and its beginning.
    var count = isSelected ? next == 0 && !steps.isEmpty ? 2 : 1 : 0
    for index in next..<steps.count {
      count += turns(of: steps[index], isFirst: index == 0, context: context, selected)
    }
    return count
  }

  private func turns(
    of step: AddressedStep, isFirst: Bool, context: ContextID?, _ selected: QueueSet
  ) -> Int {
    let target = queue(of: step.context)
    switch step.step {
    case .perform(let steps), .performBackgroundTask(let steps), .notify(_, let steps):
      return turns(of: steps, on: target, context: step.context, selected)
        + (!isFirst && selected.meets(QueueSet(target)) ? 1 : 0)
    case .async(let queue, let steps):
      let queue = queues.ofApp[queue.index]
      return turns(of: steps, on: queue, context: nil, selected)
        + (!isFirst && selected.meets(QueueSet(queue)) ? 1 : 0)
    case .performAndWait(let steps):
      return turns(ofWaitFor: steps, on: target, context: step.context, isFirst, selected)
    case .call(let entryPoint):
      let steps = stack.entryPoints[entryPoint.index].steps
      return turns(ofWaitFor: steps, on: target, context: step.context, isFirst, selected)
    case .sync(let queue, let steps):
      return turns(
        ofWaitFor: steps, on: queues.ofApp[queue.index], context: nil, isFirst, selected)
    case .directly(let steps), .when(_, let steps), .trying(let steps):
      return turns(of: steps, on: target, context: step.context, selected)
    case .sleep, .wait, .kill: return selected == .all ? 1 : 0
    case .tick, .setFlag, .enter, .leave: return 0
    default:
      let own = turns(ofAction: step, selected)
      guard context != step.context, selected.meets(QueueSet(target)) else { return own }
      // On another context's queue, the step needs a wait and a separate block.
      return own + 3
    }
  }

  private func turns(
    ofWaitFor steps: [AddressedStep], on queue: QueueID, context: ContextID?, _ isFirst: Bool,
    _ selected: QueueSet
  ) -> Int {
    let before = !isFirst && selected == .all ? 1 : 0
    return before + (selected.meets(QueueSet(queue)) ? 1 : 0)
      + turns(of: steps, on: queue, context: context, selected)
  }

  private func turns(ofAction step: AddressedStep, _ selected: QueueSet) -> Int {
    switch step.step {
    case .save, .fetch, .count, .existingObject, .refresh, .refreshAllObjects,
      .obtainPermanentIDs, .batch, .performFetch, .mergeHistory, .mergeChanges,
      .mergeRemoteChanges, .forEach, .undo, .redo, .addStore, .removeStore, .destroyStore,
      .metadata, .setMetadata:
      turns(above: step.context, selected)
    default: 0
    }
  }

  private func turns(of operation: Frame.Operation, on selected: QueueSet) -> Int {
    if operation.beginsSave { return turns(above: operation.context, selected) }
    if operation.isPerformed { return 0 }
    let needs = queuesNeeded(for: operation)
    if selected == .all { return needs.count - operation.takenCount }
    return needs.dropFirst(operation.takenCount).count { selected.meets(QueueSet($0)) }
  }

  private func turns(above context: ContextID, _ selected: QueueSet) -> Int {
    selected == .all
      ? queues.aboveContexts[context.index].all.count
      : queues.aboveContexts[context.index].set.intersection(selected).count
  }
}
