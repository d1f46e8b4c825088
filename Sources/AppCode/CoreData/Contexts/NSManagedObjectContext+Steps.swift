import LiveCode
import SimulatedCoreData
import Vocabulary

/// The steps that the engine performs for app code.
extension NSManagedObjectContext {
  /// Performs a step and delivers the notifications that it posts.
  @discardableResult
  func act(_ step: Step) -> [Event] {
    onQueue {
      let events = run.perform(step, in: id)
      if !run.isInHook {
        undoManager?.absorb()
        state.tellKeyValueObservers()
        state.post(events)
      }
      return events
    }
  }

  /// Performs a step that can fail, and throws its error.
  @discardableResult
  func attempt(_ step: Step) throws -> [Event] {
    let events = act(step)
    if let failure = events.failure { throw state.error(for: failure, in: self) }
    return events
  }
}
