package import Vocabulary

/// Why a kind of violation cannot happen in a stack, whatever programs do; nil if it can.
///
/// Only what follows from the shape of the stack, or from what its system is like.
package func impossibility(of kind: String, in stack: Stack, _ quirks: QuirkSet) -> String? {
  let hasChildren = stack.contextIDs.contains { stack.parent(of: $0) != nil }
  switch Invariant.allCases.first(where: { $0.anomaly == kind }) {
  case .NoTemporaryIDOutlivesItsSave where !quirks.contains(.childKeepsTemporaryID):
    return "IDs become permanent everywhere at once"
  case .ObjectsAwakenOnce where !quirks.contains(.parentAwakensInsertedObject):
    return "only the context that inserts an object awakens it"
  case .OneRowOneInstance where !quirks.contains(.rowHasTwoInstances):
    return "both IDs of a row lead to one instance"
  case .NoTemporaryIDOutlivesItsSave, .ObjectsAwakenOnce, .OneRowOneInstance,
    .UnsavedChangesStayPrivate, .RolledBackValuesAreNotLoaded, .SavedUpdatesAreNotLost,
    .SavesAreNotIgnored, .LoadsShowTheNewest:
    return hasChildren ? nil : "no context has a parent"
  case .AcknowledgedSavesOutliveAKill:
    let isOnDisk = stack.stores.allSatisfy { !$0.isInMemory }
    return !hasChildren && isOnDisk ? "every save goes to the disk" : nil
  case .SavesDoNotCross:
    return stack.contexts.count == 1 ? "there is one context" : nil
  case .MainQueueAsksNoStore, .MainQueueKeepsWithinItsBudget:
    return hasMain(stack) ? nil : "no context is on the main queue"
  case .NobodyWaitsForHimself:
    return hasOneQueue(stack) ? "there is one queue" : nil
  default: return nil
  }
}

private func hasMain(_ stack: Stack) -> Bool {
  stack.contexts.contains { context in
    context.concurrencyType == .mainQueue
      || context.concurrencyType == .confinement && context.thread == nil
  }
}

/// Whether everything happens on one queue.
private func hasOneQueue(_ stack: Stack) -> Bool {
  if !stack.queues.isEmpty { return false }
  let privateCount = stack.contexts.count { $0.concurrencyType == .privateQueue }
  let others = stack.contexts.count - privateCount
  return privateCount + (others > 0 ? 1 : 0) == 1
}
