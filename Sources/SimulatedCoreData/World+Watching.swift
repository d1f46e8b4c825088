import ObjectModel
import Vocabulary

/// `detectConflicts(for:)`: objects that the next save checks although they are unchanged.
extension World {
  mutating func detectConflicts(of name: ObjectName, in context: ContextID) throws(StepFailure) {
    guard let slot = try held(name, in: context) else { return }
    try fire(slot, in: context)
    let c = context.index
    guard
      contexts[c].objects[slot].flags.isDisjoint(with: [.inserted, .deleted, .discarded])
    else { return events.append(.nothing) }
    assert(!isFault(slot, in: context), "a fault has no version to check")
    contexts[c].objects[slot].flags.insert(.watched)
  }

  /// Those that a root's commit has to check besides what it saves (MP-06).
  func watched(in context: ContextID, besides changes: Changes) -> [Int] {
    guard contexts[context.index].isRoot else { return [] }
    var watched: [Int] = []
    for slot in contexts[context.index].order
    where contexts[context.index].objects[slot].flags.contains(.watched) {
      let object = contexts[context.index].objects[slot]
      if !object.isFault, !object.isPendingDeletion, !object.flags.contains(.inserted),
        !(changes.updated.contains(slot) && isWritten(slot, in: context))
      {
        watched.append(slot)
      }
    }
    return watched
  }

  mutating func endWatch(in context: ContextID) {
    let c = context.index
    for slot in contexts[c].order where contexts[c].objects[slot].flags.contains(.watched) {
      contexts[c].objects[slot].flags.remove(.watched)
      contexts[c].mayCollect = true
    }
  }
}
