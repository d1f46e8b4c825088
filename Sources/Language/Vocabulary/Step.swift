package import ObjectModel

/// A program's name for an object, as an index in the program's list of names.
///
/// A name stands for one logical object. A name and a context stand for an instance that the
/// program holds in that context: `view.n` and `edit.n` are two instances of `n`.
package struct ObjectName: Hashable, Comparable, Sendable {
  package let index: Int
  package init(_ index: Int) { self.index = index }
  package static func < (a: ObjectName, b: ObjectName) -> Bool { a.index < b.index }
}

/// An instance held in a context, such as `view.n`.
package struct HeldInstance: Hashable, Sendable {
  package var context: ContextID
  package var name: ObjectName

  package init(_ context: ContextID, _ name: ObjectName) {
    self.context = context
    self.name = name
  }
}

/// A comparison in a predicate.
package struct Comparison: Hashable, Sendable {
  package enum Relation: String, CaseIterable, Sendable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case greater = ">"
  }

  package enum Operand: Hashable, Sendable {
    case value(Value)
    /// The ID of a held instance, for to-one relationships. Only `equal` and `notEqual` accept it.
    case object(HeldInstance)
  }

  package var property: PropertyID
  package var relation: Relation
  package var operand: Operand

  package init(property: PropertyID, relation: Relation, operand: Operand) {
    self.property = property
    self.relation = relation
    self.operand = operand
  }
}

/// Counterpart of `NSFetchRequest`.
package struct FetchRequest: Hashable, Sendable {
  /// Counterpart of `NSFetchRequestResultType`.
  package enum ResultType: String, CaseIterable, Sendable {
    case managedObject, managedObjectID, dictionary, count
  }

  package struct SortDescriptor: Hashable, Sendable {
    package var property: PropertyID
    /// The remaining keys of a key path. `property` and all keys except the last are to-one
    /// relationships.
    package var furtherKeys: [PropertyID] = []
    package var ascending: Bool

    package init(property: PropertyID, furtherKeys: [PropertyID] = [], ascending: Bool) {
      self.property = property
      self.furtherKeys = furtherKeys
      self.ascending = ascending
    }

    package var keyPath: [PropertyID] { [property] + furtherKeys }
  }

  package var entity: EntityID
  /// Comparisons that all must hold. An empty array is `TRUEPREDICATE`.
  package var predicate: [Comparison] = []
  /// A further condition, for predicates that comparisons cannot express.
  package var tree: PredicateTree?
  package var sortDescriptors: [SortDescriptor] = []
  package var fetchOffset = 0
  /// The maximum number of results. 0 means no limit.
  package var fetchLimit = 0
  package var includesPendingChanges = true
  package var returnsObjectsAsFaults = true
  package var includesSubentities = true
  /// Has no effect on objects that are no longer faults (FL-07).
  package var shouldRefreshRefetchedObjects = false
  package var resultType = ResultType.managedObject
  /// The attributes and to-one relationships in each dictionary. An empty array stands for all
  /// attributes (FP-A4).
  package var propertiesToFetch: [PropertyID] = []
  /// Further entries of each dictionary, computed from all rows or from the rows of a group.
  package var aggregates: [Aggregate] = []
  /// Properties by which rows are grouped. Each group is one dictionary.
  package var propertiesToGroupBy: [PropertyID] = []
  /// If true, equal dictionaries are returned once.
  package var returnsDistinctResults = false
  /// The stores to search, or `nil` to search all (FE-20).
  package var affectedStores: [StoreID]? = nil

  package init(entity: EntityID) { self.entity = entity }

  /// A Boolean value that indicates whether a sort key lies in a related object.
  package var sortsByKeyPaths: Bool {
    for descriptor in sortDescriptors where !descriptor.furtherKeys.isEmpty { return true }
    return false
  }
}

/// A property with its current or intended value.
package struct PropertyValue: Hashable, Sendable {
  package var property: PropertyID
  package var value: Value

  package init(_ property: PropertyID, _ value: Value) {
    self.property = property
    self.value = value
  }
}

/// The validation methods of managed objects.
package enum Validation: String, CaseIterable, Sendable {
  case forInsert, forUpdate, forDelete
}

/// A notification, or the result of a batch request, to merge from.
package enum MergeSource: Hashable, Sendable {
  /// The notification being delivered. Available only in an observer of `didSave`.
  case delivered
  /// The `ordinal`-th DidSave that `context` posted, counted from 1.
  case didSave(ContextID, ordinal: Int)
  /// The result of the `ordinal`-th batch request that `context` executed, counted from 1.
  case batch(ContextID, ordinal: Int)
  /// The result of the latest batch request that the context executed.
  case latestBatch(ContextID)
}

/// An operation of a program, in the terms of Core Data. Names stand for instances in the step's
/// context.
package indirect enum Step: Hashable, Sendable {
  case insert(EntityID, as: ObjectName)
  /// Reads a property and fires a fault.
  ///
  /// With a name, reads a to-one relationship and holds its destination under that name. Without a
  /// destination, nothing is held under the name.
  case get(ObjectName, PropertyID, as: ObjectName? = nil)
  case set(ObjectName, PropertyID, Value)
  /// Adds a number to the context's value of an integer attribute: `note.views += 1`.
  case increment(ObjectName, PropertyID, by: Int64 = 1)
  /// Sets a to-one relationship.
  case relate(ObjectName, PropertyID, HeldInstance?)
  /// Adds an object to a to-many relationship. An ordered relationship gets it at its end.
  case add(ObjectName, PropertyID, HeldInstance)
  case remove(ObjectName, PropertyID, HeldInstance)
  /// Assigns a to-many relationship.
  case replace(ObjectName, PropertyID, [HeldInstance])
  case delete(ObjectName)
  /// Sets an attribute without change tracking (CT-06).
  case setPrimitive(ObjectName, PropertyID, Value)
  /// Calls `insert(_:)` again for an object that is already inserted (ID-34).
  case insertAgain(ObjectName)
  /// `assign(_:to:)`, which chooses the store to which a new object will be saved (PS-02).
  case assign(ObjectName, StoreID)
  /// Makes the next save check this object's version although the object is unchanged (MP-06).
  case detectConflicts(ObjectName)
  case validate(ObjectName, Validation)

  case changedValues(ObjectName)
  case committedValues(ObjectName)
  /// Reads the old values of properties changed since the last ObjectsDidChange (CT-05).
  case changedValuesForCurrentEvent(ObjectName)
  case hasPersistentChangedValues(ObjectName)
  /// Reads the context's `hasChanges`.
  case hasChanges
  case uriRepresentation(ObjectName)

  /// Runs a request and holds its results. Each result that the program has named is afterwards
  /// held under its name.
  ///
  /// With a name, also holds the first result under that name. Without results, nothing is held
  /// under the name.
  case fetch(FetchRequest, as: ObjectName? = nil)
  case count(FetchRequest)
  /// Calls `object(with:)` with the current ID of `reference`, and holds the result as `name`.
  case object(with: HeldInstance, as: ObjectName)
  case existingObject(with: HeldInstance, as: ObjectName)
  case registeredObject(for: HeldInstance, as: ObjectName)
  /// Calls `managedObjectID(forURIRepresentation:)` with the URI of `reference`, then
  /// `object(with:)`.
  case objectForURI(of: HeldInstance, as: ObjectName)
  /// Runs the fetch of a fetched-results controller, which listens to its context from then on.
  case performFetch(ControllerID)
  case batch(BatchRequest)
  /// Calls `execute` with an NSSaveChangesRequest, which no context accepts (SV-24).
  case executeSaveRequest

  case processPendingChanges
  /// Ends a turn of the main run loop: every main-queue context processes pending changes (NT-07).
  case tick
  case save
  case refresh(ObjectName, mergeChanges: Bool)
  case refreshAllObjects
  case reset
  case rollback
  case obtainPermanentIDs([ObjectName])
  case mergeChanges(MergeSource)
  /// `mergeChanges(fromRemoteContextSave:into:)`, which bypasses the row cache and reaches every
  /// level of contexts (NT-30).
  case mergeRemoteChanges(MergeSource)
  /// Merges the persistent history that other contexts have written to the stores since this
  /// context's last such merge.
  case mergeHistory
  case undo
  case redo
  case disableUndoRegistration
  case enableUndoRegistration
  /// Removes a store from the context's coordinator (PS-07).
  case removeStore(StoreID)
  /// Adds a removed store.
  case addStore(StoreID)
  /// Removes a store from the context's coordinator and empties its file.
  ///
  /// A store added afterwards is a new store that knows none of the old IDs (CS-A7). `isRecreated`
  /// adds that store at once, before any other access to the coordinator.
  case destroyStore(StoreID, isRecreated: Bool)
  /// Sets the merge policy of the context, until the next such step or a new context.
  case setMergePolicy(MergePolicy)
  /// Sets a metadata entry of a store on the coordinator. The next save writes the entry (SV-27).
  case setMetadata(StoreID, Int)
  /// Reads the stored metadata entry.
  case metadata(StoreID)
  /// Makes the store refuse a write, as with a full disk. The `after`-th write from now fails,
  /// counted from 1, whichever context makes it.
  case refuseWrite(StoreID, after: Int)
  /// Deallocates the context and replaces it with a new context of the same configuration. Unsaved
  /// changes are lost (CC-19).
  case discard
  /// Releases an instance. An unchanged instance that no variable holds is no longer registered
  /// (FL-15).
  case release(ObjectName)

  /// Enqueues the steps on the context's queue without waiting. The end of the block ends an event
  /// (CC-01).
  case perform([AddressedStep])
  /// Runs the steps on the context's queue and waits for them. The end of the block does not end an
  /// event (CC-02).
  case performAndWait([AddressedStep])
  /// Enqueues the steps like `perform`, on a context that lives only as long as the block.
  case performBackgroundTask([AddressedStep])
  /// Runs the steps on the current queue, whichever queue that is (CC-12).
  case directly([AddressedStep])
  /// Enqueues the steps on an app-defined queue.
  case async(AppQueueID, [AddressedStep])
  /// Runs the steps on an app-defined queue and waits for them.
  case sync(AppQueueID, [AddressedStep])
  /// Sets a flag of the app at once, without synchronization.
  case setFlag(FlagID, Bool)
  /// Calls `enter()` of a group, which adds one to its count.
  case enter(GroupID)
  /// Calls `leave()` of a group, which subtracts one from its count. At 0, everything that waits
  /// for the group continues.
  case leave(GroupID)
  /// Calls `wait()` of a group. The lane keeps its queues until the group is empty.
  case wait(GroupID)
  /// Enqueues the steps on the context's queue, like `perform`, as soon as the group is empty.
  case notify(GroupID, [AddressedStep])
  /// Adds the current IDs of objects to an ID set of the app.
  case remember(IDSetID, ObjectSet)
  /// Empties an ID set of the app.
  case forget(IDSetID)
  /// Runs the steps on the current queue if the condition holds, as an `if` does.
  ///
  /// For `hasChanges` of a context on another queue, the lane takes that queue first and keeps it
  /// until the steps end.
  case when(Condition, [AddressedStep])
  /// Runs the steps on the current queue, as calls with `try` in one `do`.
  ///
  /// After an error, the rest of the block is skipped, and the rest of nested blocks that the lane
  /// runs itself. Errors do not propagate out of enqueued blocks, called entry points and
  /// observers.
  case trying([AddressedStep])
  /// Loops over objects of the context until an error occurs.
  ///
  /// Objects are visited in the order of their IDs. Those of a notification or of an ID set keep
  /// the order in which they are listed.
  case forEach(ObjectSet, Treatment)
  /// Runs the steps of an entry point on the context's queue and waits for them.
  case call(EntryPointID)
  /// `suspend()` of an app-defined queue, or of the context's queue if `nil`.
  ///
  /// Running work ends. No other work begins before the queue is resumed as often as suspended.
  case suspend(AppQueueID?)
  case resume(AppQueueID?)
  /// Lets virtual time pass, in milliseconds, while the lane keeps its queues.
  case sleep(Int)
  /// Kills and restarts the app. Only the data on disk remains.
  case kill
}

/// A step with the context that it addresses.
package struct AddressedStep: Hashable, Sendable {
  package var context: ContextID
  package var step: Step

  package init(_ context: ContextID, _ step: Step) {
    self.context = context
    self.step = step
  }

  /// Returns a Boolean value that indicates whether `isWanted` holds for this step or a step in its
  /// block.
  package func contains(where isWanted: (AddressedStep) -> Bool) -> Bool {
    isWanted(self) || step.block?.contains { $0.contains(where: isWanted) } == true
  }

  /// The number of steps: this step and all steps nested in its block.
  package var stepCount: Int { (step.block ?? []).reduce(1) { $0 + $1.stepCount } }
}
