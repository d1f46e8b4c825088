package import ObjectModel

/// Counterpart of the codes in `CoreDataErrors.h`, under their Swift names.
package enum ErrorCode: Int, CaseIterable, Sendable {
  case managedObjectReferentialIntegrity = 133000
  case persistentStoreCrossStoreRelation = 133010
  case managedObjectMerge = 133020
  case managedObjectConstraintMerge = 133021
  case persistentStoreSave = 134030
  case validationManagedObject = 1550
  case validationMultipleErrors = 1560
  case validationMissingMandatoryProperty = 1570
  case validationRelationshipLacksMinimumCount = 1580
  case validationRelationshipExceedsMaximumCount = 1590
  case validationRelationshipDeniedDelete = 1600
  case validationNumberTooLarge = 1610
  case validationNumberTooSmall = 1620
  case validationDateTooLate = 1630
  case validationDateTooSoon = 1640
  case validationStringTooLong = 1660
  case validationStringTooShort = 1670

  package var name: String { ErrorCode.names[self, default: ""] }

  /// Made once: to ask the runtime for the name of a case takes as long as a step.
  private static let names = Dictionary(uniqueKeysWithValues: allCases.map { ($0, "\($0)") })
}

/// Why a call failed.
package enum Failure: Hashable, Sendable {
  /// One property that may not be saved as it is.
  package struct Issue: Hashable, Sendable {
    package var code: ErrorCode
    package var object: ObjectID
    package var property: PropertyID
    /// What the attribute or to-one relationship is; null for a to-many.
    package var value: Value

    package init(
      _ code: ErrorCode, _ object: ObjectID, _ property: PropertyID, value: Value = .null
    ) {
      self.code = code
      self.object = object
      self.property = property
      self.value = value
    }
  }

  /// Counterpart of `NSMergeConflict`.
  package struct Conflict: Hashable, Sendable {
    package var object: ObjectID
    /// The version that the context had loaded; 0 towards a parent context, which has none.
    package var oldVersion: Int
    /// The version that is there now; 0 if the row is gone, or towards a parent context.
    package var newVersion: Int
    /// What the context had loaded, by value slot: attributes and to-one destinations (MP-05). Only
    /// if it is the context that is behind the row cache (MP-04).
    package var objectSnapshot: [Value]? = nil
    /// What the row cache has; nil if the row is gone.
    package var cachedSnapshot: [Value]? = nil
    /// What the store has, if it is the row cache that is behind the store.
    package var persistedSnapshot: [Value]? = nil

    package init(object: ObjectID, oldVersion: Int, newVersion: Int) {
      self.object = object
      self.oldVersion = oldVersion
      self.newVersion = newVersion
    }
  }

  /// Counterpart of `NSConstraintConflict`.
  package struct ConstraintConflict: Hashable, Sendable {
    /// The entity that declares the constraint.
    package var entity: EntityID
    package var constraint: [PropertyID]
    /// Objects of the saving context, by ID.
    package var objects: [ObjectID]
    /// The row that has the same values already; nil if only the objects are in each other's way.
    package var databaseObject: ObjectID?

    package init(
      entity: EntityID, constraint: [PropertyID], objects: [ObjectID], databaseObject: ObjectID?
    ) {
      self.entity = entity
      self.constraint = constraint
      self.objects = objects
      self.databaseObject = databaseObject
    }
  }

  /// A request that is refused.
  package enum UnsupportedRequest: Hashable, Sendable {
    /// A batch request for an entity that a store in memory takes, or none at all (FE-18).
    case batch(EntityID)
    /// `NSSaveChangesRequest`, which no context executes (SV-24).
    case saveChanges
  }

  /// 1570 to 1670, or 1560 if there is more than one.
  case validation([Issue])
  /// 133020.
  case mergeConflicts([Conflict])
  /// 133021: two rows would agree on what has to be unique.
  case constraintConflicts([ConstraintConflict])
  /// 133000: no row has this ID.
  case missingObject(ObjectID)
  /// 133010: a relationship from `object` leads into another store.
  case crossStore(ObjectID, PropertyID)
  /// NSObjectInaccessibleException: the fault could not be fulfilled.
  case inaccessible(ObjectID)
  /// NSInvalidArgumentException: the two objects belong to different contexts.
  case differentContexts
  /// The instance belongs to no context any more: deleted and saved, rolled back, or reset away.
  case noContext
  /// No store of the coordinator takes this entity, or there is none at all.
  case noStore(EntityID)
  /// 134030: a store could not write, because its disk is full or broken.
  case refusedWrite(StoreID)
  /// The object's store is not among the coordinator's any more.
  case unreachableStore(ObjectID)
  /// NSInvalidArgumentException: an object that was saved cannot be assigned to a store (RL-05).
  case alreadySaved(ObjectID)
  /// Neither the stores nor the context carry such a request out.
  case unsupportedRequest(UnsupportedRequest)
  /// `willSave` kept changing its object, round after round (LC-09).
  case willSaveLoop(ObjectID)
  /// The context was used outside its queue (CC-12).
  case wrongQueue(ContextID)
}

/// The sets in the user info of a notification, each sorted by ID.
package struct ChangeSets: Hashable, Sendable {
  package var inserted: [ObjectID] = []
  package var updated: [ObjectID] = []
  package var deleted: [ObjectID] = []
  package var refreshed: [ObjectID] = []
  package var invalidatedAll: [ObjectID] = []

  package init() {}

  package var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty
      && invalidatedAll.isEmpty
  }
}

/// A property that a child's save hands to its parent.
package struct Received: Hashable, Sendable {
  package var property: PropertyID
  /// As it is in the parent; nil for a to-many relationship, which is handed over by delta.
  package var value: Value?

  package init(_ property: PropertyID, _ value: Value?) {
    self.property = property
    self.value = value
  }
}

/// A property and what it is or was.
package struct PropertyContent: Hashable, Sendable {
  package var property: PropertyID
  /// Null for a to-many relationship.
  package var value: Value
  /// Of a to-many relationship.
  package var collection: [ObjectID]?

  package init(_ property: PropertyID, _ value: Value) {
    self.property = property
    self.value = value
  }

  package init(_ property: PropertyID, collection: [ObjectID]) {
    self.property = property
    value = .null
    self.collection = collection
  }
}

/// Counterpart of `NSFetchedResultsSectionInfo`.
package struct ResultsSection: Hashable, Sendable {
  package var name: Value
  package var objects: [ObjectID]

  package init(name: Value, objects: [ObjectID]) {
    self.name = name
    self.objects = objects
  }
}

/// Counterpart of `NSIndexPath` as lists use it.
package struct IndexPath: Hashable, Sendable {
  package var section: Int
  package var item: Int

  package init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }
}

/// What a fetched-results controller tells its delegate. Old index paths in `from` and `at`, new
/// ones in `to`.
package enum ResultsChange: Hashable, Sendable {
  case deleteSection(Int)
  case insertSection(Int)
  case delete(ObjectID, from: IndexPath)
  case insert(ObjectID, to: IndexPath)
  case move(ObjectID, from: IndexPath, to: IndexPath)
  case update(ObjectID, at: IndexPath)
}

/// Counterpart of `NSSnapshotEventType`.
package enum SnapshotEvent: Int, CaseIterable, Sendable {
  case undoInsertion = 2
  case undoDeletion = 4
  case undoUpdate = 8
  case rollback = 16
  case refresh = 32
  case mergePolicy = 64
}

/// What can be observed while a step runs, in the order in which it happens.
///
/// `context` is where it happens, which need not be the step's: a child's save is felt in its
/// parent.
package enum Event: Hashable, Sendable {
  // The step's own answer.
  case value(Value)
  case collection([ObjectID])
  case objects([ObjectID])
  case count(Int)
  /// The result of a fetch for IDs.
  case objectIDs([ObjectID])
  /// The result of a fetch for dictionaries.
  case dictionaries(EntityID, [[PropertyValue]])
  /// Properties and what they are or were, in the order of the properties.
  case values(ObjectID, [PropertyContent])
  case flag(Bool)
  /// What a fetched-results controller shows.
  case sections(ControllerID, [ResultsSection])
  case uri(String)
  /// What a batch request did. `number` counts DidSaves and batch results together.
  case batched(ChangeSets, number: Int)
  /// The instance that a look-up found.
  case object(ObjectID)
  /// A look-up found nothing, or a name that the step uses is not held.
  case nothing
  case failed(Failure)
  /// A save that went through, or a validation.
  case saved

  // What happens on the way.
  /// Any hook but `awakeFromInsert`.
  case hook(Hook, ContextID, ObjectID)
  /// With the object's values, by slot, as its class finds them.
  case awakeFromInsert(ContextID, ObjectID, [Value])
  /// A hook's action set an attribute.
  case hookSet(ContextID, ObjectID, PropertyID, Value)
  /// `awake(fromSnapshotEvents:)` (LC-07).
  case awakeFromSnapshot(ContextID, ObjectID, SnapshotEvent)
  /// Posted by the context, to be delivered to its observers.
  case objectsDidChange(ContextID, ChangeSets)
  case contextWillSave(ContextID)
  /// `number` counts all DidSaves and batch results of this world from 0.
  case didSave(ContextID, ChangeSets, number: Int)
  /// As the DidSave of the same number, with object IDs for objects (NT-04).
  case didSaveObjectIDs(ContextID, ChangeSets, number: Int)
  /// A save has asked the coordinator to write these, permanent IDs in place (SV-15, ID-35).
  case saveRequest(CoordinatorID, ChangeSets)
  case willRemoveStore(CoordinatorID, StoreID)
  case storesDidChange(CoordinatorID, added: [StoreID], removed: [StoreID])
  case didMergeChanges(ContextID, ChangeSets)
  /// Between `controllerWillChangeContent` and `controllerDidChangeContent` the controller's
  /// delegate was told this.
  case controllerDidChangeContent(ControllerID, [ResultsChange])
  /// A child's save handed these properties to the instance in its parent.
  case receive(ContextID, ObjectID, [Received])
  /// An object's temporary ID became permanent in this context.
  case becamePermanent(ContextID, ObjectID, ObjectID)
}

/// What a context shows of one registered instance. Equal views cannot be told apart by a program.
package struct InstanceView: Hashable, Sendable {
  package var id: ObjectID
  package var isFault: Bool
  package var isInserted: Bool
  package var isUpdated: Bool
  package var isDeleted: Bool
  /// By slot; empty for a fault.
  package var values: [Value]
  package var collections: [[ObjectID]]

  /// Written out because it is asked after every step: cheap fields first. Of arrays, `!=` would
  /// ask by way of a table.
  package static func == (a: Self, b: Self) -> Bool {
    guard a.id == b.id, a.isFault == b.isFault, a.isInserted == b.isInserted,
      a.isUpdated == b.isUpdated, a.isDeleted == b.isDeleted, a.values.count == b.values.count,
      a.collections.count == b.collections.count
    else { return false }
    for index in a.values.indices where a.values[index] != b.values[index] { return false }
    for index in a.collections.indices where !(a.collections[index] == b.collections[index]) {
      return false
    }
    return true
  }

  package init(
    id: ObjectID, isFault: Bool, isInserted: Bool, isUpdated: Bool, isDeleted: Bool,
    values: [Value], collections: [[ObjectID]]
  ) {
    self.id = id
    self.isFault = isFault
    self.isInserted = isInserted
    self.isUpdated = isUpdated
    self.isDeleted = isDeleted
    self.values = values
    self.collections = collections
  }
}

/// A row of a store.
package struct RowView: Hashable, Sendable {
  package var id: ObjectID
  package var version: Int
  package var values: [Value]
  package var collections: [[ObjectID]]

  package init(id: ObjectID, version: Int, values: [Value], collections: [[ObjectID]]) {
    self.id = id
    self.version = version
    self.values = values
    self.collections = collections
  }
}

/// A part of an operation that runs without interruption. Lanes may change only in between.
package enum Phase: Int, CaseIterable, Sendable {
  /// All of any step but `save`.
  case whole
  /// `save`: changes are processed, deletes propagate, ObjectsDidChange goes out (SV-16).
  case flush
  /// `save`: `willSave` and ContextWillSave.
  case willSave
  /// `save`: validated, then handed to the parent or written to the stores; or it fails here.
  case commit
  /// `save`: the context is clean, `didSave` and DidSave go out.
  case finish
}

/// One uninterrupted thing that a context did: the unit that engine and reference are compared in.
package enum Action: Hashable, Sendable {
  case step(AddressedStep, Phase)
  /// Merges DidSave `number` of this world, for a `mergeChanges` step or because the context
  /// merges automatically.
  case merge(ContextID, number: Int)
  /// Merges DidSave or batch result `number` as a remote change, for a `mergeRemoteChanges` step.
  case mergeRemote(ContextID, number: Int)
  /// A lane touched the context without holding its queue; nothing else happens (CC-12).
  case wrongQueue(ContextID)
  /// A `perform` block ended: its context processes what is pending (NT-08).
  case endOfEvent(ContextID)

  package var context: ContextID {
    switch self {
    case .step(let step, _): step.context
    case .merge(let context, _), .mergeRemote(let context, _), .endOfEvent(let context),
      .wrongQueue(let context):
      context
    }
  }
}

extension Action {
  /// Phases of a save after its first belong to the same step; one that is refused for its queue is
  /// a step, too.
  package var isCountedAsStep: Bool {
    switch self {
    case .step(_, .whole), .step(_, .flush), .merge, .mergeRemote, .wrongQueue: true
    default: false
    }
  }
}
