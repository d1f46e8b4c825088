package import ObjectModel

/// What a program calls an object, by its index in the program's list of names.
///
/// A name stands for one logical object. Together with a context it stands for an instance that the
/// program holds there: `view.n` and `edit.n` are two instances of `n`.
package struct ObjectName: Hashable, Comparable, Sendable {
  package let index: Int
  package init(_ index: Int) { self.index = index }
  package static func < (a: ObjectName, b: ObjectName) -> Bool { a.index < b.index }
}

/// An instance held in a context, as `view.n`.
package struct HeldInstance: Hashable, Sendable {
  package var context: ContextID
  package var name: ObjectName

  package init(_ context: ContextID, _ name: ObjectName) {
    self.context = context
    self.name = name
  }
}

/// One comparison of a predicate.
package struct Comparison: Hashable, Sendable {
  package enum Relation: String, CaseIterable, Sendable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case greater = ">"
  }

  package enum Operand: Hashable, Sendable {
    case value(Value)
    /// The ID of a held instance, for to-one relationships; only with `equal` and `notEqual`.
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
    /// The other keys of a key path: `property` and all but the last are to-one relationships.
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
  /// All must hold; none is `TRUEPREDICATE`.
  package var predicate: [Comparison] = []
  /// Must hold, too: what comparisons cannot say.
  package var tree: PredicateTree?
  package var sortDescriptors: [SortDescriptor] = []
  package var fetchOffset = 0
  /// 0 is no limit.
  package var fetchLimit = 0
  package var includesPendingChanges = true
  package var returnsObjectsAsFaults = true
  package var includesSubentities = true
  /// Has no effect on what is realised already (FL-07).
  package var shouldRefreshRefetchedObjects = false
  package var resultType = ResultType.managedObject
  /// What a dictionary holds: attributes and to-one relationships; none is all attributes (FP-A4).
  package var propertiesToFetch: [PropertyID] = []
  /// What a dictionary holds besides: computed from all rows, or those of each group.
  package var aggregates: [Aggregate] = []
  /// Rows that agree on these are one dictionary.
  package var propertiesToGroupBy: [PropertyID] = []
  /// Equal dictionaries are answered once.
  package var returnsDistinctResults = false
  /// The stores to search; nil searches all (FE-20).
  package var affectedStores: [StoreID]? = nil

  package init(entity: EntityID) { self.entity = entity }

  /// Whether what it sorts by is not all in the objects themselves.
  package var sortsByKeyPaths: Bool {
    for descriptor in sortDescriptors where !descriptor.furtherKeys.isEmpty { return true }
    return false
  }
}

/// A property and what it is, or is to be.
package struct PropertyValue: Hashable, Sendable {
  package var property: PropertyID
  package var value: Value

  package init(_ property: PropertyID, _ value: Value) {
    self.property = property
    self.value = value
  }
}

/// Which of an object's three validation methods.
package enum Validation: String, CaseIterable, Sendable {
  case forInsert, forUpdate, forDelete
}

/// A notification or a result to merge from.
package enum MergeSource: Hashable, Sendable {
  /// The one that is being delivered; only in an observer of `didSave`.
  case delivered
  /// The `ordinal`-th DidSave that `context` posted, from 1.
  case didSave(ContextID, ordinal: Int)
  /// The result of the `ordinal`-th batch request that `context` executed, from 1.
  case batch(ContextID, ordinal: Int)
}

/// What a program does, in Core Data's words. Names stand for instances in the step's context.
package indirect enum Step: Hashable, Sendable {
  case insert(EntityID, as: ObjectName)
  /// Reads a property; fires a fault. With a name, of a to-one relationship: holds the object that
  /// it leads to under that name, and nothing under it if it leads to none.
  case get(ObjectName, PropertyID, as: ObjectName? = nil)
  case set(ObjectName, PropertyID, Value)
  /// Adds 1 to an integer as the context shows it: `note.views += 1`.
  case increment(ObjectName, PropertyID)
  /// Sets a to-one relationship.
  case relate(ObjectName, PropertyID, HeldInstance?)
  /// Adds to a to-many relationship; at the end of an ordered one.
  case add(ObjectName, PropertyID, HeldInstance)
  case remove(ObjectName, PropertyID, HeldInstance)
  /// Assigns a to-many relationship.
  case replace(ObjectName, PropertyID, [HeldInstance])
  case delete(ObjectName)
  /// Sets an attribute behind the back of change tracking (CT-06).
  case setPrimitive(ObjectName, PropertyID, Value)
  /// `insert(_:)` once more for an object that is inserted already (ID-34).
  case insertAgain(ObjectName)
  /// `assign(_:to:)`: the store that a new object will be saved to (PS-02).
  case assign(ObjectName, StoreID)
  /// Has the next save check this object's version although it is unchanged (MP-06).
  case detectConflicts(ObjectName)
  case validate(ObjectName, Validation)

  case changedValues(ObjectName)
  case committedValues(ObjectName)
  /// The old values of what changed since the last ObjectsDidChange (CT-05).
  case changedValuesForCurrentEvent(ObjectName)
  case hasPersistentChangedValues(ObjectName)
  /// The context's.
  case hasChanges
  case uriRepresentation(ObjectName)

  /// Runs a request and holds what it finds: each result that the program has named is afterwards
  /// held under its name. With a name of its own: holds the first result under that, too, and
  /// nothing under it if there is none.
  case fetch(FetchRequest, as: ObjectName? = nil)
  case count(FetchRequest)
  /// `object(with:)` for the present ID of `reference`, held as `name`.
  case object(with: HeldInstance, as: ObjectName)
  case existingObject(with: HeldInstance, as: ObjectName)
  case registeredObject(for: HeldInstance, as: ObjectName)
  /// `managedObjectID(forURIRepresentation:)` of the URI of `reference`, then `object(with:)`.
  case objectForURI(of: HeldInstance, as: ObjectName)
  /// Fills a fetched-results controller of this context; from then on it listens.
  case performFetch(ControllerID)
  case batch(BatchRequest)
  /// `execute` with an NSSaveChangesRequest, which no context accepts (SV-24).
  case executeSaveRequest

  case processPendingChanges
  /// A turn of the main run loop ends: every main-queue context processes what is pending (NT-07).
  case tick
  case save
  case refresh(ObjectName, mergeChanges: Bool)
  case refreshAllObjects
  case reset
  case rollback
  case obtainPermanentIDs([ObjectName])
  case mergeChanges(MergeSource)
  /// `mergeChanges(fromRemoteContextSave:into:)`: past the row cache, through every level (NT-30).
  case mergeRemoteChanges(MergeSource)
  /// Merges what others wrote to the stores since this context last asked, as persistent history
  /// tells it.
  case mergeHistory
  case undo
  case redo
  case disableUndoRegistration
  case enableUndoRegistration
  /// Takes a store from the context's coordinator (PS-07).
  case removeStore(StoreID)
  /// Adds a store that was removed.
  case addStore(StoreID)
  /// Takes a store from the context's coordinator and empties its file: what is added afterwards is
  /// another store, which knows none of the IDs (CS-A7). `isMadeAnew`: that one is added at once,
  /// before anything else gets to the coordinator.
  case destroyStore(StoreID, isMadeAnew: Bool)
  /// Gives the context another merge policy, until the next such step or a new context.
  case setMergePolicy(MergePolicy)
  /// Sets an entry of a store's metadata on the coordinator; a save writes it (SV-27).
  case setMetadata(StoreID, Int)
  /// Reads the entry as the store has it.
  case metadata(StoreID)
  /// Has the store refuse a write, as with a full disk: the `after`-th from now, from 1, by
  /// any context.
  case refuseWrite(StoreID, after: Int)
  /// The context is deallocated and another like it takes its place: unsaved changes are lost
  /// (CC-19).
  case discard
  /// Lets go of an instance. What no variable holds and has no changes is no longer registered
  /// (FL-15).
  case release(ObjectName)

  /// Enqueues the steps on the context's queue and goes on; its end is the end of an event (CC-01).
  case perform([AddressedStep])
  /// Runs the steps on the context's queue and waits for them; no end of an event (CC-02).
  case performAndWait([AddressedStep])
  /// As `perform`, on a context that lives only as long as the block.
  case performBackgroundTask([AddressedStep])
  /// Runs the steps right here, on whatever queue this is (CC-12).
  case directly([AddressedStep])
  /// Enqueues the steps on a queue of the app.
  case async(AppQueueID, [AddressedStep])
  /// Runs the steps on a queue of the app and waits for them.
  case sync(AppQueueID, [AddressedStep])
  /// Sets a flag of the app, at once and whatever others do with it.
  case setFlag(FlagID, Bool)
  /// `enter()` of a group: one more is on its way.
  case enter(GroupID)
  /// `leave()` of a group: one less. After the last, all that waits for the group goes on.
  case leave(GroupID)
  /// `wait()` for a group, with all queues held, until it is empty.
  case wait(GroupID)
  /// Enqueues the steps on the context's queue, as `perform` does, once the group is empty.
  case notify(GroupID, [AddressedStep])
  /// Adds the IDs of objects to a set of the app, as they are now.
  case remember(IDSetID, ObjectSet)
  /// Empties a set of the app.
  case forget(IDSetID)
  /// Runs the steps right here if the condition holds now, as an `if` does. For `hasChanges` of a
  /// context on another queue the lane takes that queue first, and keeps it until the steps end.
  case when(Condition, [AddressedStep])
  /// Runs the steps right here, as calls with `try` in one `do`: once one fails, the rest of the
  /// block is passed over, and so is the rest of the blocks inside that the lane runs itself. What
  /// they enqueue, call as an entry point or set off in an observer keeps its errors to itself.
  case trying([AddressedStep])
  /// A loop over objects of the context: in the order of their IDs, but for what a notification
  /// lists or a set of the app has. An error ends it.
  case forEach(ObjectSet, Treatment)
  /// Does what an entry point of the stack says, on the context's queue, and waits for it.
  case call(EntryPointID)
  /// `suspend()` of a queue of the app, or of the context's own (nil): what runs there ends, and
  /// nothing else begins before it is resumed as often.
  case suspend(AppQueueID?)
  case resume(AppQueueID?)
  /// Lets virtual time pass, in milliseconds, with all queues held.
  case sleep(Int)
  /// The app is killed and started anew: nothing is left but what the stores have on disk.
  case kill
}

/// A step and the context that it is for.
package struct AddressedStep: Hashable, Sendable {
  package var context: ContextID
  package var step: Step

  package init(_ context: ContextID, _ step: Step) {
    self.context = context
    self.step = step
  }

  /// Whether this step, or one in its block, is what is looked for.
  package func contains(where isWanted: (AddressedStep) -> Bool) -> Bool {
    isWanted(self) || step.block?.contains { $0.contains(where: isWanted) } == true
  }

  /// This step and all inside it.
  package var stepCount: Int { (step.block ?? []).reduce(1) { $0 + $1.stepCount } }
}
