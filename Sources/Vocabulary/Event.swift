package import ObjectModel

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
  /// Likewise, with aggregates: the values of the properties, then those of the aggregates.
  case summaries(EntityID, [PropertyID], [Aggregate], [[Value]])
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

  /// An error that the step throws, or an exception that it raises.
  package var isFailure: Bool { if case .failed = self { true } else { false } }
}

extension [Event] {
  /// True if one of them is an error or an exception. By number: `contains` copies each event.
  package var haveFailure: Bool {
    for index in indices { if case .failed = self[index] { return true } }
    return false
  }
}
