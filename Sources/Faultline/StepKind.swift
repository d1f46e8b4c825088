/// A kind of step, or of program fragment, that the programs of a ``Fuzzer`` can use.
///
/// The raw value is its name in options, scenarios and reports.
public enum StepKind: String, CaseIterable, Sendable {
  // Steps, each named after the method of Core Data or Dispatch that it calls.

  /// Inserts a new object into a context.
  case insert
  /// Sets an attribute of an object.
  case set
  /// Saves a context: a child's changes into its parent, a root's into its stores.
  case save
  /// Reads a property of an object, and fires its fault.
  case get
  /// Executes a fetch request and returns objects, IDs, dictionaries or a count.
  case fetch
  /// Sets a relationship of an object.
  case relate
  /// Marks an object for deletion.
  case delete
  /// Calls `object(with:)`, which returns an instance without asking the store.
  case object
  /// Calls `refresh(_:mergeChanges:)` on an object.
  case refresh
  /// Calls `mergeChanges(fromContextDidSave:)` with a notification or a batch result.
  case mergeChanges
  /// Ends the event of a context. Delete rules are applied, and ObjectsDidChange is posted.
  case processPendingChanges
  /// Ends a turn of the main run loop, and with it the event of each context on it.
  case tick
  /// Calls `count(for:)` with a fetch request.
  case count
  /// Calls `existingObject(with:)`, which fails if the object has no row.
  case existingObject
  /// Calls `registeredObject(for:)`, which returns registered instances only.
  case registeredObject
  /// Calls `obtainPermanentIDs(for:)` before the objects are saved.
  case obtainPermanentIDs
  /// Refreshes every object of a context, and keeps unsaved changes.
  case refreshAllObjects
  /// Discards the unsaved changes of a context, and keeps its objects.
  case rollback
  /// Discards all objects of a context with their unsaved changes.
  case reset
  /// Releases the program's reference to an instance, which its context may then release.
  case release
  /// Enqueues a block on the queue of a context, and continues.
  case perform
  /// Runs a block on the queue of a context, and waits for its end.
  case performAndWait
  /// Sets an attribute without change tracking.
  case setPrimitive
  /// Calls `insert(_:)` with an object that the context already has.
  case insertAgain
  /// Calls `assign(_:to:)`, which chooses the store of a new object.
  case assign
  /// Makes the next save check an object for conflicts although it is unchanged.
  case detectConflicts
  /// Calls `validateForInsert`, `validateForUpdate` or `validateForDelete`.
  case validate
  /// Asks an object for its unsaved changes.
  case changedValues
  /// Asks an object for the values of its last fetch or save.
  case committedValues
  /// Asks an object for its changes since the last ObjectsDidChange.
  case changedValuesForCurrentEvent
  /// Asks an object whether a save would change its row.
  case hasPersistentChangedValues
  /// Asks a context whether it has unsaved changes.
  case hasChanges
  /// Asks an object for its ID as a URI.
  case uriRepresentation
  /// Returns the object of a URI.
  case objectForURI
  /// Updates rows in the stores, bypassing all contexts.
  case batchUpdate
  /// Deletes rows in the stores, bypassing all contexts.
  case batchDelete
  /// Inserts rows into the stores, bypassing all contexts.
  case batchInsert
  /// Makes a context execute an `NSSaveChangesRequest`, which always fails.
  case executeSaveRequest
  /// Calls `mergeChanges(fromRemoteContextSave:into:)`, which also renews the row cache.
  case mergeRemoteChanges
  /// Merges the persistent history since the last such merge.
  case mergeHistory
  /// Undoes the last event of a context with an undo manager.
  case undo
  /// Redoes the event that was undone last.
  case redo
  /// Turns off the registration of changes with the undo manager.
  case disableUndoRegistration
  /// Turns the registration of changes on again.
  case enableUndoRegistration
  /// Removes a store from a coordinator.
  case removeStore
  /// Adds a removed store to a coordinator again.
  case addStore
  /// Removes a store from its coordinator and empties its file. Used only on request.
  case destroyStore
  /// Sets the metadata of a store, which the next save writes.
  case setMetadata
  /// Reads the metadata of a store.
  case metadata
  /// Discards a context with its unsaved changes.
  case discard
  /// Runs a block on the queue of a context that is discarded at its end.
  case performBackgroundTask
  /// Runs steps on the queue of the caller, whichever context they use.
  case directly
  /// Makes a lane wait for some milliseconds of virtual time.
  case sleep
  /// Fills a fetched results controller, which then observes its context.
  case performFetch
  /// Reads an integer and sets it to one more.
  case increment
  /// Enqueues a block on an app-defined queue, and continues.
  case dispatchAsync
  /// Runs a block on an app-defined queue, and waits for its end.
  case dispatchSync
  /// Calls an entry point of the stack on the queue of a context, and waits for its end.
  case call
  /// Kills the app: contexts are lost, and stores keep committed changes.
  case kill
  /// Makes a store refuse one of its next writes, as if its disk were full.
  case refuseWrite
  /// Sets another merge policy of a context. Used only on request.
  case policy
  /// Suspends a queue, which then begins no block. Steps that resume a queue are included.
  case suspend

  /// Runs a block under a condition on a context's changes, the thread, or an app-defined flag.
  case when
  /// Does something to each object of a set.
  case forEach
  /// Sets an app-defined flag to true. Steps that set a flag to false are included.
  case raise
  /// Enters an app-defined group. Steps that leave the group and wait for the group are included.
  case enter
  /// Adds IDs of objects to an app-defined set, for later loops.
  case remember

  // Steps of these names are drawn with others.

  /// Runs a block if a condition is false. Drawn with `when`.
  case unless
  /// Runs a block, and skips its rest if one of its calls fails. Drawn with `when`.
  case `try`
  /// Sets an app-defined flag to false. Drawn with `raise`.
  case lower
  /// Leaves an app-defined group. Drawn with `enter`.
  case leave
  /// Waits until an app-defined group is empty. Drawn with `enter`.
  case wait
  /// Enqueues a block once an app-defined group is empty. Drawn with `enter`.
  case notify
  /// Empties an app-defined set of IDs. Drawn with `remember`.
  case forget

  /// Adds an object to a to-many relationship. Drawn with `relate`.
  case add
  /// Removes an object from a to-many relationship. Drawn with `relate`.
  case remove
  /// Replaces the members of a to-many relationship. Drawn with `relate`.
  case replace
  /// Resumes a suspended queue. Drawn with `suspend`.
  case resume
  /// Uses a context on a wrong queue. Drawn with `illegal`.
  case wrongQueue

  /// Takes illegal steps, each of which must fail or have no effect.
  case illegal

  // Fragments that resemble an app's code, or that make contexts meet.

  /// A context looks for objects by a value, inserts missing objects, and saves.
  case importObjects
  /// A context reads an object, and later reads it again, changes it, and saves or cancels.
  case editForm
  /// A context fills its fetched results controller, or fetches a sorted list and fetches it again
  /// later.
  case showList
  /// A context deletes an object that a server reports as deleted, and saves.
  case syncDeletions
  /// Two contexts add one to the same number, and both save.
  case countFromTwoPlaces
  /// A context inserts two related objects, and saves both.
  case insertRelated
  /// A context changes objects, and discards the changes before a save.
  case cancelHalfway
  /// A context changes the order of two members of an ordered relationship, and saves.
  case rearrangeList
  /// A context moves an object to another owner, may delete the previous owner, and saves.
  case moveObjects
  /// A context fetches a sorted list page by page, with other steps between the pages.
  case pageList
  /// Two contexts change one object, and both save.
  case writeConflict
  /// A context works on its queue, and another lane waits for the queue.
  case waitForWork
  /// Two contexts read the same objects before and after one of them saves.
  case repeatedRead
  /// A context fetches with a predicate over relationships, sorts by a key path, or computes
  /// dictionaries.
  case query
}
