import ObjectModel
import Vocabulary

/// What instances were when the running event first touched them: what
/// `changedValuesForCurrentEvent` answers (CT-05) and undo goes back to (UN-06).
extension World {
  /// Puts aside what an instance is. Comes before every change of it that is tracked, a deletion or
  /// insertion too; only the first one of an event counts.
  mutating func startEvent(_ slot: Int, in context: ContextID) {
    let c = context.index
    guard case .none = contexts[c].objects[slot].eventStart else { return }
    let flags = contexts[c].objects[slot].flags
    if flags.contains(.fault) { return }
    if flags.contains([.inserted, .reportInserted]) {
      contexts[c].objects[slot].eventStart = .absent
    } else if let state = contexts[c].objects[slot].state {
      contexts[c].objects[slot].eventStart = .at(contexts[c].eventStarts.count)
      contexts[c].eventStarts.append(state)
    }
  }

  /// What an instance was at the start; nil if it was absent, or has no start.
  func eventStart(of slot: Int, in context: ContextID) -> ManagedObject.State? {
    let c = context.index
    guard case .at(let index) = contexts[c].objects[slot].eventStart else { return nil }
    assert(contexts[c].hasReports, "an event that is over has a start")
    assert(contexts[c].eventStarts.indices.contains(index), "the event has no state \(index)")
    return contexts[c].eventStarts[index]
  }
}
