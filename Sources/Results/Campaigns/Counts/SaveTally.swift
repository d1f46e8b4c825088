import Vocabulary

/// The number of saves by result. Saves without changes are not counted. Batch requests count only
/// towards `storingRuns`.
package struct SaveTally: Codable, Equatable, Sendable {
  /// Saves that succeeded, including saves of child contexts.
  package private(set) var done = 0
  /// Saves that validation refused.
  package private(set) var refused = 0
  /// Saves that failed because of conflicts, missing rows, or stores that refuse to write.
  package private(set) var failed = 0
  /// Runs in which at least one save, or one batch request, reached a store.
  package private(set) var storingRuns = 0

  /// The contexts whose saves succeeded in the current run.
  private var savers: Set<ContextID> = []
  private var hasRequested = false

  package init() {}

  private enum CodingKeys: CodingKey { case done, refused, failed, storingRuns }

  /// Counts the saves in an action and its observable events.
  mutating func note(_ action: Action, _ events: [Event]) {
    for event in events {
      switch event {
      case .batched(let sets, _) where !sets.isEmpty: hasRequested = true
      case _ where !action.isSave: continue
      case .didSave(let context, let sets, number: _) where !sets.isEmpty:
        done += 1
        savers.insert(context)
      case .failed(.validation): refused += 1
      case .failed: failed += 1
      default: break
      }
    }
  }

  /// Ends the current run, which used `stack`.
  mutating func endRun(on stack: Stack) {
    if hasRequested || savers.contains(where: { stack.parent(of: $0) == nil }) {
      storingRuns += 1
    }
    (savers, hasRequested) = ([], false)
  }

  mutating func merge(_ other: SaveTally) {
    done += other.done
    refused += other.refused
    failed += other.failed
    storingRuns += other.storingRuns
  }

  /// The counts, none of which is negative.
  var counts: [Int] { [done, refused, failed, storingRuns] }
}
