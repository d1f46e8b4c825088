import ObjectModel
package import SimulatedDispatch
package import Vocabulary

/// The queues and lanes of a stack, and their names in reports.
extension World {
  /// Makes the queues and lanes of a stack, in their order. §queues
  mutating func makeQueues() {
    // A local constant, because a closure that reads the stack in the world copies it each time.
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
    queues.ofGroups = stack.groups.map { _ in dispatcher.makeQueue() }
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

  /// Takes a queue for a block that the lane waits for. A block on the main queue runs on the main
  /// thread, whichever thread waits for it (CC-02, CC-10). §take-queue.1
  package mutating func acquire(
    _ queue: QueueID, for lane: LaneID, isReentrant: Bool
  ) -> Acquisition {
    let isMainThread = code != nil && lane == driver
    return dispatcher.acquire(
      queue, for: lane, isReentrant: isReentrant,
      leaving: queue == queues.main && !isMainThread ? ownQueues(of: lane) : [])
  }

  /// Returns the queues that a lane owns for its blocks. Excludes the queues of actions whose
  /// observers the lane calls. Core Data keeps those no longer than necessary. §take-queue.1.1
  private func ownQueues(of lane: LaneID) -> [QueueID] {
    var lent: [QueueID] = []
    for case .operation(let operation) in dispatcher.frames(of: lane) {
      lent += queuesNeeded(for: operation).prefix(operation.takenCount)
    }
    return dispatcher.queueIDs.filter { queue in
      dispatcher.owns(lane, queue)
        && dispatcher.holdCount(of: queue) > lent.count { $0 == queue }
    }
  }

  package func queue(of context: ContextID) -> QueueID { queues.ofContexts[context.index] }

  package func queue(ofApp queue: AppQueueID) -> QueueID { queues.ofApp[queue.index] }

  /// Returns a Boolean value that indicates whether `queue` is the lock of a coordinator.
  package func isCoordinator(_ queue: QueueID) -> Bool { queues.ofCoordinators.contains(queue) }

  package func isQueueOfApp(_ queue: QueueID) -> Bool { queues.ofApp.contains(queue) }

  /// The number of enqueued blocks that have not finished.
  package var unfinishedBlockCount: Int { queues.enqueuedCount - queues.finishedCount }

  /// Returns the name of a lane in reports.
  package func name(of lane: LaneID) -> String {
    // In a run of code, the driver is the app's main thread.
    if lane == driver { return code == nil ? "the program's thread" : "the main thread" }
    if lane == dispatcher.worker(of: queues.main) { return "the main thread" }
    for (app, queue) in zip(stack.queues, queues.ofApp)
    where dispatcher.worker(of: queue) == lane {
      return "a block of \(app.name)"
    }
    for (context, queue) in zip(stack.contexts, queues.ofContexts)
    where dispatcher.worker(of: queue) == lane {
      return "a block of \(context.name)"
    }
    for (group, queue) in zip(stack.groups, queues.ofGroups)
    where dispatcher.worker(of: queue) == lane {
      return "a block that follows group \(group.name)"
    }
    return "lane \(lane.index)"
  }

  package func name(of queue: QueueID) -> String {
    if let index = queues.ofCoordinators.firstIndex(of: queue) {
      return "coordinator \(stack.coordinators[index].name)"
    }
    if queue == queues.main { return "the main queue" }
    if let index = queues.ofApp.firstIndex(of: queue) { return stack.queues[index].name }
    if let index = queues.ofGroups.firstIndex(of: queue) {
      return "group \(stack.groups[index].name)"
    }
    if let index = queues.ofContexts.firstIndex(of: queue) { return stack.contexts[index].name }
    return "queue \(queue.index)"
  }
}
