/// The words that steps begin with: Core Data's methods, shortened where no one can mistake them.
enum Verb: String, CaseIterable {
  case insert, get, set, increment, relate, add, remove, replace, delete
  case fetch, count
  case object, existingObject, registeredObject
  case processPendingChanges, save, refresh, refreshAllObjects, reset, rollback
  case obtainPermanentIDs, mergeChanges, release
  case setPrimitive, insertAgain, assign, detectConflicts, validate
  case changedValues, committedValues, changedValuesForCurrentEvent, hasPersistentChangedValues
  case performFetch, hasChanges, uriRepresentation, objectForURI
  case batchUpdate, batchDelete, batchInsert, executeSaveRequest
  case mergeRemoteChanges, mergeHistory
  case undo, redo, disableUndoRegistration, enableUndoRegistration
  case removeStore, addStore, setMetadata, metadata, refuseWrite, discard
  case perform, performAndWait, performBackgroundTask, directly, dispatchAsync, dispatchSync, call,
    tick, sleep, suspend, resume, kill

  /// More than a message could list.
  static let listing = "Scenarios/README.md lists the verbs"

  /// Names that no context can have: a line of a block could be read in two ways.
  static let reservedContextNames =
    ["time", "store", "queue", "coordinator", "controller", "entry", "observe", "nil"]
    + allCases.map(\.rawValue)
}
