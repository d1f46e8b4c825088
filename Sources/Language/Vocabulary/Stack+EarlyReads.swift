/// A fetch, a count or a list of an entry point, after the entry point has enqueued a block that
/// saves. Nothing makes the read wait for that block.
package struct EarlyRead: Hashable, Sendable {
  /// The step that reads.
  package let read: AddressedStep
  /// The context that the enqueued block saves.
  package let saver: ContextID
}

extension Stack {
  /// Returns the reads of an entry point that follow the enqueueing of a save in its steps, and
  /// that would show what the save writes. A context shows unsaved changes of contexts above it.
  package func earlyReads(of entryPoint: EntryPoint) -> [EarlyRead] {
    var found: [EarlyRead] = []
    var enqueued: [ContextID] = []
    collectEarlyReads(of: entryPoint.steps, &enqueued, &found)
    return found
  }

  private func collectEarlyReads(
    of steps: [AddressedStep], _ enqueued: inout [ContextID], _ found: inout [EarlyRead]
  ) {
    for step in steps {
      switch step.step {
      case .fetch, .count, .performFetch:
        found += enqueued.filter { shows(step.context, savesOf: $0) }
          .map { EarlyRead(read: step, saver: $0) }
      case .perform(let block), .performBackgroundTask(let block), .async(_, let block),
        .notify(_, let block):
        var before = enqueued
        collectEarlyReads(of: block, &before, &found)
        for (index, isSaved) in contextsSaved(by: block).enumerated() where isSaved {
          let saver = ContextID(index)
          if !enqueued.contains(saver) { enqueued.append(saver) }
        }
      default:
        if let block = step.step.block { collectEarlyReads(of: block, &enqueued, &found) }
      }
    }
  }

  /// Returns a Boolean value that indicates whether a save of `saver` shows in a context that does
  /// not show its unsaved changes.
  private func shows(_ context: ContextID, savesOf saver: ContextID) -> Bool {
    let chain = chain(from: context)
    if chain.contains(saver) { return false }
    return parent(of: saver).map(chain.contains) ?? true
  }
}
