import ObjectModel
import Vocabulary

/// `detectConflicts(for:)`: objects that the next save checks although they are unchanged.
extension ObjectGraph {
  /// Has the next save check an object although it is unchanged. §detect-conflicts
  mutating func detectConflicts(of name: ObjectName, in context: ContextID) throws(StepFailure) {
    guard let slot = try held(name, in: context) else { return }
    try fire(slot, in: context)
    let c = context.index
    guard
      contexts[c].objects[slot].flags.isDisjoint(with: [.inserted, .deleted, .discarded])
    else { return result.events.append(.nothing) }
    assert(!isFault(slot, in: context), "a fault has no version to check")
    contexts[c].objects[slot].flags.insert(.watched)
  }

  /// The watched objects that a root's commit checks besides its changes (MP-06).
  /// §collect-changes.2.4
  func watched(in context: ContextID, besides changes: Changes) -> [Int] {
    let c = context.index
    guard contexts[c].isRoot else { return [] }
    var watched: [Int] = []
    for slot in contexts[c].objects.unsettled
    where contexts[c].objects[slot].flags.contains(.watched)
      && !has([.fault, .inserted, .deleted, .discarded], slot, in: context)
    {
      let isUpdated = changes.index(of: slot).map { changes[$0].kind == .updated } ?? false
      if !isUpdated || !isWritten(slot, in: context) { watched.append(slot) }
    }
    return sorted(watched, in: context)
  }

  /// Ends the watch of each object of a context. §commit.10
  mutating func endWatch(in context: ContextID) {
    let c = context.index
    for slot in contexts[c].objects.unsettled
    where contexts[c].objects[slot].flags.contains(.watched) {
      contexts[c].objects[slot].flags.remove(.watched)
      contexts[c].mayCollect = true
    }
  }
}
