import SimulatedDispatch
package import Vocabulary

/// `discard`: the time at which a context is released. No lane waits for it. A block holds the
/// contexts of its steps until it has finished (CC-19).
extension World {
  /// Decides whether a lane has a context's queue and no other lane holds the context.
  /// §release-context.4
  func releasesAtOnce(of context: ContextID, _ lane: LaneID) -> Bool {
    hasQueue(of: context, lane) && !isAwaited(context)
      && queueOfBlock(holding: context, besides: lane) == nil
  }

  /// Returns a Boolean value that indicates whether the context's queue has an owner, or a block or
  /// a waiting lane holds the context.
  package func isInUse(_ context: ContextID) -> Bool {
    dispatcher.owner(of: queue(of: context)) != nil || isAwaited(context)
      || queueOfBlock(holding: context, besides: driver) != nil
  }

  /// Releases a context by enqueuing the step behind the blocks that hold the context.
  /// §release-context
  mutating func release(_ step: AddressedStep, on lane: LaneID, within block: Frame.Block?) {
    let author = block?.author ?? .program
    if let other = queueOfBlock(holding: step.context, besides: lane) {
      var plan = Frame.Plan(queue: other, steps: [step], author: author)
      plan.holdsNoContext = true
      enqueue(.block(.init(plan)), on: other)
    } else {
      enqueue(
        frame(for: .step(step, .whole), author: author), on: queue(of: step.context))
    }
  }

  /// Returns a Boolean value that indicates whether a block or a lane that holds the context waits
  /// in the line of the context's queue.
  private func isAwaited(_ context: ContextID) -> Bool {
    let queue = queue(of: context)
    if hasBlockInLine(of: queue, holding: context) { return true }
    for index in 0..<dispatcher.laneCount where dispatcher.waits(of: LaneID(index: index)) == queue
    {
      if isHeld(context, by: LaneID(index: index)) { return true }
    }
    return false
  }

  /// Returns the first other queue with a running or waiting block that holds the context.
  /// §release-context.2
  private func queueOfBlock(holding context: ContextID, besides lane: LaneID) -> QueueID? {
    for queue in dispatcher.queueIDs where queue != self.queue(of: context) {
      let worker = dispatcher.worker(of: queue)
      if worker != lane, isHeld(context, by: worker) { return queue }
      if hasBlockInLine(of: queue, holding: context) { return queue }
    }
    return nil
  }

  private func isHeld(_ context: ContextID, by lane: LaneID) -> Bool {
    dispatcher.frames(of: lane).contains { holds($0, context) }
  }

  private func hasBlockInLine(of queue: QueueID, holding context: ContextID) -> Bool {
    var isHeld = false
    dispatcher.forEachBlock(awaiting: dispatcher.worker(of: queue)) {
      if holds($0, context) { isHeld = true }
    }
    return isHeld
  }

  /// Decides whether a block holds a context, as it does while it has steps left for the context.
  /// §release-context.1
  private func holds(_ frame: Frame, _ context: ContextID) -> Bool {
    switch frame {
    case .block(let block), .wait(let block, hasQueue: _):
      !block.holdsNoContext
        && block.steps.dropFirst(block.next).contains { step in
          step.contains { $0.context == context }
        }
    case .operation, .delivery, .code: false
    }
  }
}
