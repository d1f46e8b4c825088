import ObjectModel
import Vocabulary

/// The states of instances when the running event first touched them.
///
/// `changedValuesForCurrentEvent` answers them (CT-05), and undo restores them (UN-06).
extension ObjectGraph {
  /// Starts the event of an instance: keeps its state before a tracked change, an insertion or a
  /// deletion. Only the first start in an event counts. §start-event
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

  /// The state of an instance at the start of its event; nil if it was absent or has no start.
  func eventStart(of slot: Int, in context: ContextID) -> ManagedObject.State? {
    let c = context.index
    guard case .at(let index) = contexts[c].objects[slot].eventStart else { return nil }
    assert(contexts[c].hasReports, "an event that is over has a start")
    assert(contexts[c].eventStarts.indices.contains(index), "the event has no state \(index)")
    return contexts[c].eventStarts[index]
  }
}
