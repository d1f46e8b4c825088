package import SimulatedDispatch
package import Vocabulary

/// Queues that begin nothing for a while.
extension World {
  /// Suspends a queue. §suspend
  mutating func suspend(_ queue: AppQueueID?, of context: ContextID) {
    if let queue = suspendable(queue, of: context) { dispatcher.suspend(queue) }
  }

  /// Resumes a queue. One that is not suspended stays as it is; Dispatch would crash. §resume
  mutating func resume(_ queue: AppQueueID?, of context: ContextID) {
    guard let queue = suspendable(queue, of: context), dispatcher.isSuspended(queue) else { return }
    dispatcher.resume(queue)
  }

  /// Finds the queue that a step names; nil for the main queue, where Dispatch does nothing.
  private func suspendable(_ queue: AppQueueID?, of context: ContextID) -> QueueID? {
    let queue = queue.map { queues.ofApp[$0.index] } ?? self.queue(of: context)
    return queue == queues.main ? nil : queue
  }

  /// The queues of contexts and of the app that are suspended now, by number.
  package var suspendedQueues: [QueueID] {
    let suspended = dispatcher.suspendedQueues
    return queues.ofGroups.isEmpty ? suspended : suspended.filter { !isGroup($0) }
  }

  /// The number of steps that it takes to resume a queue.
  package func suspensionCount(of queue: QueueID) -> Int { dispatcher.suspensionCount(of: queue) }

  /// True if something waits for a suspended queue and nothing else can happen: the run ends.
  /// §end-suspended
  package var waitsForResume: Bool {
    dispatcher.isQuiescent && suspendedQueues.contains(where: dispatcher.hasLine)
  }

  /// The step that resumes the queue.
  package func resumption(of queue: QueueID) -> AddressedStep {
    if let app = queues.ofApp.firstIndex(of: queue) {
      return AddressedStep(ContextID(0), .resume(AppQueueID(app)))
    }
    guard let context = queues.ofContexts.firstIndex(of: queue) else {
      preconditionFailure("queue \(queue.index) belongs to no context and not to the app")
    }
    return AddressedStep(ContextID(context), .resume(nil))
  }
}
