package import SimulatedDispatch
package import Vocabulary

/// Queues that begin nothing for a while.
extension World {
  mutating func suspend(_ queue: AppQueueID?, of context: ContextID) {
    if let queue = suspendable(queue, of: context) { dispatcher.suspend(queue) }
  }

  /// A queue that is not suspended stays as it is; Dispatch would crash.
  mutating func resume(_ queue: AppQueueID?, of context: ContextID) {
    guard let queue = suspendable(queue, of: context), dispatcher.isSuspended(queue) else { return }
    dispatcher.resume(queue)
  }

  /// Dispatch does nothing for the main queue.
  private func suspendable(_ queue: AppQueueID?, of context: ContextID) -> QueueID? {
    let queue = queue.map { queues.ofApp[$0.index] } ?? self.queue(of: context)
    return queue == queues.main ? nil : queue
  }

  /// The queues of contexts and of the app that are suspended now, by number.
  package var suspendedQueues: [QueueID] {
    let suspended = dispatcher.suspendedQueues
    return queues.ofGroups.isEmpty ? suspended : suspended.filter { !isGroup($0) }
  }

  /// How many steps it takes to resume a queue.
  package func suspensionCount(of queue: QueueID) -> Int { dispatcher.suspensionCount(of: queue) }

  /// Whether something waits for a queue to be resumed, and nothing else can happen.
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
