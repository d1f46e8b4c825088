import ObjectModel
import Vocabulary

/// Deliveries: notifications hold the objects of their `userInfo` (NT-01, NT-03, C2).
extension ReferenceStack {
  /// Holds the objects that an action posted for observers, until `endOfDelivery`. §deliver
  mutating func holdWhatIsDelivered() {
    if !listsObjects { return }
    for index in contexts.indices where !setting.observed[index].isEmpty {
      let present = delivered(by: ContextID(index))
      if present.isEmpty { continue }
      contexts[index].deliveries.append(present)
      deliveringContexts.append(ContextID(index))
    }
  }

  /// A Boolean value that indicates whether an event lists objects that its notification holds.
  private var listsObjects: Bool {
    // An index avoids copies of the events, which a loop over them would make.
    for index in events.indices {
      switch events[index] {
      case .objectsDidChange, .didSave: return true
      default: continue
      }
    }
    return false
  }

  /// Returns the registered instances that observed notifications of `c` list. §deliver.2
  private func delivered(by c: ContextID) -> [ObjectID] {
    var listed: [ObjectID] = []
    // An index avoids copies of the events, which a loop over them would make.
    for index in events.indices {
      switch events[index] {
      case .objectsDidChange(c, let sets) where hasObserver(of: .objectsDidChange, c):
        listed += sets.inserted + sets.updated + sets.deleted + sets.refreshed
      case .didSave(c, let sets, number: _) where hasObserver(of: .didSave, c):
        listed += sets.inserted + sets.updated
      default: continue
      }
    }
    // §deliver.2.3: an ID may have become permanent since it was listed.
    return listed.compactMap { lookup($0, in: c) }
  }

  private func hasObserver(of notification: Stack.NotificationName, _ c: ContextID) -> Bool {
    setting.observed[c.index].contains(notification)
  }
}
