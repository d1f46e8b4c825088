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
  ///
  /// A step that also reads before the enqueueing is left out, because the two reads look alike.
  package func earlyReads(of entryPoint: EntryPoint) -> [EarlyRead] {
    var search = EarlyReadSearch(stack: self)
    search.visit(entryPoint.steps)
    return search.found.filter { early in
      !search.others.contains { $0.read == early.read && $0.saver == early.saver }
    }
  }
}

/// Goes through the steps of an entry point in their order.
private struct EarlyReadSearch {
  let stack: Stack
  private(set) var found: [EarlyRead] = []
  /// Reads that precede the enqueueing of a save by the context.
  private(set) var others: [EarlyRead] = []
  /// The contexts that enqueued blocks save.
  private var enqueued: [ContextID] = []

  init(stack: Stack) { self.stack = stack }

  mutating func visit(_ steps: [AddressedStep]) {
    for step in steps {
      switch step.step {
      case .fetch, .count, .performFetch: visit(read: step)
      case .perform(let block), .performBackgroundTask(let block), .async(_, let block),
        .notify(_, let block):
        let before = enqueued
        visit(block)
        enqueued = before
        for (index, isSaved) in stack.contextsSaved(by: block).enumerated() where isSaved {
          let saver = ContextID(index)
          if !enqueued.contains(saver) { enqueued.append(saver) }
        }
      default: if let block = step.step.block { visit(block) }
      }
    }
  }

  private mutating func visit(read: AddressedStep) {
    for saver in stack.contextIDs where shows(read.context, savesOf: saver) {
      let early = EarlyRead(read: read, saver: saver)
      if enqueued.contains(saver) { found.append(early) } else { others.append(early) }
    }
  }

  /// Returns a Boolean value that indicates whether a save of `saver` shows in a context that does
  /// not show its unsaved changes.
  private func shows(_ context: ContextID, savesOf saver: ContextID) -> Bool {
    let chain = stack.chain(from: context)
    if chain.contains(saver) { return false }
    if let parent = stack.parent(of: saver) { return chain.contains(parent) }
    let stores = stack.coordinators[stack.coordinator(of: context).index].stores
    return stack.coordinators[stack.coordinator(of: saver).index].stores.contains(
      where: stores.contains)
  }
}
