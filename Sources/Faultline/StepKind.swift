/// A kind of step, or of program fragment, that the programs of a ``Fuzzer`` use or do without.
///
/// The raw value is the name that options, scenarios and reports give to it.
public enum StepKind: String, CaseIterable, Sendable {
  // Steps, by the method of Core Data or Dispatch that they stand for.

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
  /// Calls `object(with:)`: returns an instance without a look at the store.
  case object
  /// Calls `refresh(_:mergeChanges:)` on an object.
  case refresh
  /// Calls `mergeChanges(fromContextDidSave:)` with a notification or a batch result.
  case mergeChanges
  /// Ends the event of a context: delete rules act, and ObjectsDidChange is posted.
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
  /// Releases the program's reference to an instance, which its context may then let go.
  case release
  /// Enqueues a block on the queue of a context, and goes on.
  case perform
  /// Runs a block on the queue of a context, and waits for its end.
  case performAndWait
  /// Sets an attribute without change tracking.
  case setPrimitive
  /// Calls `insert(_:)` with an object that the context has already.
  case insertAgain
  /// Calls `assign(_:to:)`: chooses the store of a new object.
  case assign
  /// Has the next save check an object for conflicts although it is unchanged.
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
  /// Updates rows in the stores, behind all contexts.
  case batchUpdate
  /// Deletes rows in the stores, behind all contexts.
  case batchDelete
  /// Inserts rows into the stores, behind all contexts.
  case batchInsert
  /// Has a context execute an `NSSaveChangesRequest`, which none can.
  case executeSaveRequest
  /// Calls `mergeChanges(fromRemoteContextSave:into:)`, which also renews the row cache.
  case mergeRemoteChanges
  /// Merges the persistent history since the last time.
  case mergeHistory
  /// Undoes the last event of a context with an undo manager.
  case undo
  /// Redoes the event that was undone last.
  case redo
  /// Turns off the registration of changes with the undo manager.
  case disableUndoRegistration
  /// Turns that registration on again.
  case enableUndoRegistration
  /// Removes a store from a coordinator.
  case removeStore
  /// Adds a removed store to a coordinator again.
  case addStore
  /// Removes a store from its coordinator and empties its file. Used only if it is asked for.
  case destroyStore
  /// Sets the metadata of a store, which the next save writes.
  case setMetadata
  /// Reads the metadata of a store.
  case metadata
  /// Gives up a context with its unsaved changes.
  case discard
  /// Runs a block on the queue of a context that is given up at its end.
  case performBackgroundTask
  /// Runs steps on the queue of the caller, whichever context they use.
  case directly
  /// Has a lane wait for some milliseconds of virtual time.
  case sleep
  /// Fills a fetched-results controller, which listens to its context from then on.
  case performFetch
  /// Reads an integer and sets it to one more.
  case increment
  /// Enqueues a block on a queue of the app, and goes on.
  case dispatchAsync
  /// Runs a block on a queue of the app, and waits for its end.
  case dispatchSync
  /// Calls an entry point of the stack on the queue of a context, and waits for its end.
  case call
  /// Kills the app: contexts are lost, and stores keep what was committed.
  case kill
  /// Has a store refuse one of its next writes, as if its disk were full.
  case refuseWrite
  /// Gives a context another merge policy. Used only if it is asked for.
  case policy
  /// Suspends a queue, which then begins no block; with it come steps that resume one.
  case suspend

  /// Runs a block if a context has changes, by the thread, or by a flag of the app.
  case when
  /// Does something to each object of a set.
  case forEach
  /// Sets a flag of the app to true; with it come steps that set one to false.
  case raise
  /// Enters a group of the app; with it come the steps that leave it and wait for it.
  case enter
  /// Adds IDs of objects to a set of the app, through which loops go later.
  case remember

  // Steps of these names are chosen with others.

  /// Runs a block if `when` would not; chosen with `when`.
  case unless
  /// Runs a block whose rest is passed over when one of its calls fails; chosen with `when`.
  case `try`
  /// Sets a flag of the app to false; chosen with `raise`.
  case lower
  /// Leaves a group of the app; chosen with `enter`.
  case leave
  /// Waits until a group of the app is empty; chosen with `enter`.
  case wait
  /// Enqueues a block once a group of the app is empty; chosen with `enter`.
  case notify
  /// Empties a set of the app; chosen with `remember`.
  case forget

  /// Adds an object to a to-many relationship; chosen with `relate`.
  case add
  /// Removes an object from a to-many relationship; chosen with `relate`.
  case remove
  /// Replaces the members of a to-many relationship; chosen with `relate`.
  case replace
  /// Resumes a suspended queue; chosen with `suspend`.
  case resume
  /// Uses a context on a queue that is not its own; chosen with `illegal`.
  case wrongQueue

  /// Steps that are against the rules: each must fail or have no effect.
  case illegal

  // Fragments that look like an app's code, or that make contexts meet.

  /// A context looks for objects by a value, inserts those that are missing, and saves.
  case importObjects
  /// A context reads an object, and later reads it again, changes it, and saves or cancels.
  case editForm
  /// A context fetches a sorted list, or fills its controller, and fetches again later.
  case showList
  /// A context deletes an object that a server reports as gone, and saves.
  case syncDeletions
  /// Two contexts add one to the same number, and both save.
  case countFromTwoPlaces
  /// A context inserts two related objects, and saves both.
  case insertRelated
  /// A context changes objects, and gives the changes up before it saves.
  case cancelHalfway
  /// A context changes the order of two members of an ordered relationship, and saves.
  case rearrangeList
  /// Two contexts change one object, and both save.
  case writeConflict
  /// A context is at work on its queue, and another lane waits for it.
  case waitForWork
  /// Two contexts read the same objects before and after one of them saves.
  case repeatedRead
  /// A context fetches by a predicate over relationships, sorts by a key path, or has dictionaries
  /// computed.
  case query
}
