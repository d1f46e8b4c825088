import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// The phases of a save.
extension NSManagedObjectContext {
  /// Saves the changes, calling validation overrides and the app-defined merge policy.
  func saveChanges() throws {
    try onQueue {
      Swift.Result<Void, any Error> {
        defer { lastValues = [:] }
        for phase in [Phase.flush, .willSave, .commit, .finish] {
          if phase == .commit {
            deriveAttributes()
            try validateByOverrides()
            try checkReadOnlyStores()
            changeDetails = detailsOfChanges()
            lastValues = valuesOfDeletedObjects()
          }
          var events = run.perform(.save, in: id, phase)
          if let failure = events.failure, try isResolved(failure) {
            isTryingAgain = true
            redeclare()
            defer {
              isTryingAgain = false
              redeclare()
            }
            events = run.perform(.save, in: id, .commit)
          }
          undoManager?.absorb()
          state.tellKeyValueObservers()
          state.post(events)
          if let failure = events.failure { throw state.error(for: failure, in: self) }
          if events.contains(.saved) { return }
        }
      }
    }.get()
  }
}
