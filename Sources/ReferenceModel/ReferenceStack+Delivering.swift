import ObjectModel
import Vocabulary

/// Notifications that are being delivered hold the objects in their `userInfo` (NT-01, NT-03, C2).
extension ReferenceStack {
  /// After an action: what it posted for observers to see stays until `endOfDelivery`.
  mutating func holdWhatIsDelivered() {
    if !listsObjects { return }
    for index in contexts.indices where !setting.observed[index].isEmpty {
      let present = delivered(by: ContextID(index))
      if present.isEmpty { continue }
      contexts[index].deliveries.append(present)
      deliveringContexts.append(ContextID(index))
    }
  }

  /// True if one of the events lists objects that its notification holds.
  private var listsObjects: Bool {
    // By number: a loop over events copies them.
    for index in events.indices {
      switch events[index] {
      case .objectsDidChange, .didSave: return true
      default: continue
      }
    }
    return false
  }

  private func delivered(by c: ContextID) -> [ObjectID] {
    var listed: [ObjectID] = []
    // By number: a loop over events copies them.
    for index in events.indices {
      switch events[index] {
      case .objectsDidChange(c, let sets) where hasObserver(of: .objectsDidChange, c):
        listed += sets.inserted + sets.updated + sets.deleted + sets.refreshed
      case .didSave(c, let sets, number: _) where hasObserver(of: .didSave, c):
        listed += sets.inserted + sets.updated
      default: continue
      }
    }
    // A commit can have made an ID permanent since it was listed.
    return listed.compactMap { lookup($0, in: c) }
  }

  private func hasObserver(of notification: Stack.NotificationName, _ c: ContextID) -> Bool {
    setting.observed[c.index].contains(notification)
  }
}
