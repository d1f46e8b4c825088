/// A kind of step, or of program fragment, that the programs of a ``Fuzzer`` use or do without.
///
/// The raw value is the name that options, scenarios and reports give to it.
public enum StepKind: String, CaseIterable, Sendable {
  // Steps, by the method of Core Data or Dispatch that they stand for.
  case insert, set, save, get, fetch, relate, delete, object, refresh, mergeChanges
  case processPendingChanges, tick, count, existingObject, registeredObject, obtainPermanentIDs
  case refreshAllObjects, rollback, reset, release, perform, performAndWait, setPrimitive
  case insertAgain, assign, detectConflicts, validate, changedValues, committedValues
  case changedValuesForCurrentEvent, hasPersistentChangedValues, hasChanges, uriRepresentation
  case objectForURI, batchUpdate, batchDelete, batchInsert, executeSaveRequest, mergeRemoteChanges
  case mergeHistory, undo, redo, disableUndoRegistration, enableUndoRegistration, removeStore
  case addStore, setMetadata, metadata, discard, performBackgroundTask, directly, sleep
  case performFetch, increment, dispatchAsync, dispatchSync, call, kill, refuseWrite, suspend

  // Steps of these names are chosen with others: the first three with `relate`, `resume` with
  // `suspend`, `wrongQueue` with `illegal`.
  case add, remove, replace, resume, wrongQueue

  /// Steps that must fail, or come to nothing.
  case illegal

  // Fragments that look like an app's code, or that make contexts meet.
  case importObjects, editForm, showList, syncDeletions, countFromTwoPlaces, insertRelated
  case cancelHalfway, rearrangeList, writeConflict, waitForWork, repeatedRead
}
