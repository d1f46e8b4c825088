package import SimulatedDispatch
package import Vocabulary

/// Suspension of queues. A suspended queue begins no block.
extension World {
  /// Suspends a queue. §suspend
  mutating func suspend(_ queue: AppQueueID?, of context: ContextID) {
    if let queue = suspendable(queue, of: context) { dispatcher.suspend(queue) }
  }

  /// Resumes a queue. A queue that is not suspended stays unchanged, where Dispatch would crash.
  /// §resume
  mutating func resume(_ queue: AppQueueID?, of context: ContextID) {
    guard let queue = suspendable(queue, of: context), dispatcher.isSuspended(queue) else { return }
    dispatcher.resume(queue)
  }

  /// Returns the queue that a step names, or `nil` for the main queue, where Dispatch does nothing.
  private func suspendable(_ queue: AppQueueID?, of context: ContextID) -> QueueID? {
    let queue = queue.map { queues.ofApp[$0.index] } ?? self.queue(of: context)
    return queue == queues.main ? nil : queue
  }

  /// The suspended queues of contexts and of `Stack.queues`, by number.
  package var suspendedQueues: [QueueID] {
    let suspended = dispatcher.suspendedQueues
    return queues.ofGroups.isEmpty ? suspended : suspended.filter { !isGroup($0) }
  }

  /// Returns the number of steps needed to resume a queue.
  package func suspensionCount(of queue: QueueID) -> Int { dispatcher.suspensionCount(of: queue) }

  /// A Boolean value that indicates whether work waits for a suspended queue and nothing else can
  /// happen. The run then ends. §end-suspended
  package var waitsForResume: Bool {
    dispatcher.isQuiescent && suspendedQueues.contains(where: dispatcher.hasLine)
  }

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
