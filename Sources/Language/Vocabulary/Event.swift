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
  /// The value in the parent. `nil` for a to-many relationship, which a save hands over as a delta.
  package var value: Value?

  package init(_ property: PropertyID, _ value: Value?) {
    self.property = property
    self.value = value
  }
}

/// A property with its current or former content.
package struct PropertyContent: Hashable, Sendable {
  package var property: PropertyID
  /// The content of an attribute or to-one relationship. Null for a to-many relationship.
  package var value: Value
  /// The content of a to-many relationship.
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

/// Counterpart of `NSIndexPath` in its use by list views.
package struct IndexPath: Hashable, Sendable {
  package var section: Int
  package var item: Int

  package init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }
}

/// A change that a fetched-results controller reports to its delegate.
///
/// `from` and `at` are index paths before the change, `to` is one after it.
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

/// An observable effect of a step. Events are listed in order of occurrence.
///
/// The `context` of an event can differ from the context of the step. For example, a child's save
/// has effects in the parent.
package enum Event: Hashable, Sendable {
  // Results of the step.
  case value(Value)
  case collection([ObjectID])
  case objects([ObjectID])
  case count(Int)
  /// The result of a fetch whose result type is object IDs.
  case objectIDs([ObjectID])
  /// The result of a fetch whose result type is dictionaries.
  case dictionaries(EntityID, [[PropertyValue]])
  /// The result of a dictionary fetch with aggregates. Each row lists the values of the properties,
  /// followed by those of the aggregates.
  case summaries(EntityID, [PropertyID], [Aggregate], [[Value]])
  /// Properties with their current or former content, in declaration order.
  case values(ObjectID, [PropertyContent])
  case flag(Bool)
  /// The sections that a fetched-results controller shows.
  case sections(ControllerID, [ResultsSection])
  case uri(String)
  /// The changes made by a batch request. `number` counts DidSaves and batch results together.
  case batched(ChangeSets, number: Int)
  /// The instance found by a lookup.
  case object(ObjectID)
  /// A lookup found nothing, or the program does not hold an object by a name that the step uses.
  case nothing
  case failed(Failure)
  /// A save or a validation succeeded.
  case saved

  // Side effects of the step.
  /// A call of any hook except `awakeFromInsert`.
  case hook(Hook, ContextID, ObjectID)
  /// A call of `awakeFromInsert`, with the values that the object has at the call, by slot.
  case awakeFromInsert(ContextID, ObjectID, [Value])
  /// A hook's code set an attribute.
  case hookSet(ContextID, ObjectID, PropertyID, Value)
  /// A call of `awake(fromSnapshotEvents:)` (LC-07).
  case awakeFromSnapshot(ContextID, ObjectID, SnapshotEvent)
  /// The context posted ObjectsDidChange. Its observers are called later.
  case objectsDidChange(ContextID, ChangeSets)
  case contextWillSave(ContextID)
  /// The context posted DidSave. `number` counts all DidSaves and batch results of the world from
  /// 0.
  case didSave(ContextID, ChangeSets, number: Int)
  /// The DidSave of the same number, with object IDs in place of objects (NT-04).
  case didSaveObjectIDs(ContextID, ChangeSets, number: Int)
  /// A save asked the coordinator to write these objects, which have permanent IDs (SV-15, ID-35).
  case saveRequest(CoordinatorID, ChangeSets)
  case willRemoveStore(CoordinatorID, StoreID)
  case storesDidChange(CoordinatorID, added: [StoreID], removed: [StoreID])
  case didMergeChanges(ContextID, ChangeSets)
  /// The changes that a controller reported to its delegate between `controllerWillChangeContent`
  /// and `controllerDidChangeContent`.
  case controllerDidChangeContent(ControllerID, [ResultsChange])
  /// A child's save handed these properties to the instance in its parent.
  case receive(ContextID, ObjectID, [Received])
  /// An object's temporary ID became permanent in this context.
  case becamePermanent(ContextID, ObjectID, ObjectID)

  /// A Boolean value that indicates whether the event is a thrown error or a raised exception.
  package var isFailure: Bool { if case .failed = self { true } else { false } }
}

extension [Event] {
  /// A Boolean value that indicates whether an event is an error or an exception. Iterates by
  /// index, because `contains` copies each event.
  package var haveFailure: Bool {
    for index in indices { if case .failed = self[index] { return true } }
    return false
  }
}
