import ObjectModel
import Vocabulary

/// `detectConflicts(for:)`: objects that the next save checks even if they are unchanged.
extension ObjectGraph {
  /// Makes the next save check an object even if it is unchanged. §detect-conflicts
  mutating func detectConflicts(of name: ObjectName, in context: ContextID) throws(StepFailure) {
    guard let slot = try held(name, in: context) else { return }
    try fire(slot, in: context)
    let c = context.index
    guard
      !contexts[c].has([.inserted, .deleted, .discarded], slot)
    else { return result.events.append(.nothing) }
    assert(!contexts[c].isFault(slot), "a fault has no version to check")
    contexts[c].mark(slot, as: .watched)
  }

}
