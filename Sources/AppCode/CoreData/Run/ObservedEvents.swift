import Foundation
import SimulatedCoreData
import Vocabulary

extension Event {
  /// The context that posts the event as a notification.
  var postingContext: ContextID? {
    switch self {
    case .objectsDidChange(let context, _), .contextWillSave(let context),
      .didSave(let context, _, _), .didSaveObjectIDs(let context, _, _),
      .didMergeChanges(let context, _):
      context
    default: nil
    }
  }

  func isObserved(in state: RunState) -> Bool {
    if case .controllerDidChangeContent(let id, _) = self {
      return state.controller(id)?.hasDelegate ?? false
    }
    guard let name = notificationName, let context = postingContext else { return false }
    return state.context(context).map {
      SimulatedNotificationCenter.default.hasObservers(of: name, from: $0)
    } ?? false
  }
}
