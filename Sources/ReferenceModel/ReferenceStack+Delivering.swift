import ObjectModel
import Vocabulary

/// Notifications that are being delivered hold the objects in their `userInfo` (NT-01, NT-03, C2).
extension ReferenceStack {
  /// After an action: what it posted for observers to see stays until `endOfDelivery`.
  mutating func holdWhatIsDelivered() {
    if !events.contains(where: \.listsObjects) { return }
    var listed = contexts.map { _ in [ObjectID]() }
    for event in events {
      switch event {
      case .objectsDidChange(let c, let sets) where hasObserver(of: .objectsDidChange, c):
        listed[c.index] += sets.inserted + sets.updated + sets.deleted + sets.refreshed
      case .didSave(let c, let sets, number: _) where hasObserver(of: .didSave, c):
        listed[c.index] += sets.inserted + sets.updated
      default: continue
      }
    }
    for index in contexts.indices {
      // A commit can have made an ID permanent since it was listed.
      let present = listed[index].compactMap { lookup($0, in: ContextID(index)) }
      if !present.isEmpty { contexts[index].deliveries.append(present) }
    }
  }

  private func hasObserver(of notification: Stack.NotificationName, _ c: ContextID) -> Bool {
    stack.observers.contains { $0.context == c && $0.notification == notification }
  }
}

extension Event {
  /// Whether it is a notification with objects in its `userInfo`.
  fileprivate var listsObjects: Bool {
    switch self {
    case .objectsDidChange, .didSave: true
    default: false
    }
  }
}
