package import ObjectModel

/// A context, numbered in the order in which the stack declares it: parents before children.
@usableFromInline package struct ContextID: Hashable, Comparable, Sendable {
  @usableFromInline package let index: Int
  @inlinable package init(_ index: Int) { self.index = index }
  @inlinable package static func < (a: ContextID, b: ContextID) -> Bool { a.index < b.index }
  @inlinable package static func == (a: ContextID, b: ContextID) -> Bool { a.index == b.index }
}

/// A persistent store coordinator, in the order of declaration.
package struct CoordinatorID: Hashable, Comparable, Sendable {
  package let index: Int
  package init(_ index: Int) { self.index = index }
  package static func < (a: CoordinatorID, b: CoordinatorID) -> Bool { a.index < b.index }
}

/// A serial queue of the app's own, in the order of declaration.
package struct AppQueueID: Hashable, Comparable, Sendable {
  package let index: Int
  package init(_ index: Int) { self.index = index }
  package static func < (a: AppQueueID, b: AppQueueID) -> Bool { a.index < b.index }
}

/// A flag of the app, in the order of declaration.
package struct FlagID: Hashable, Comparable, Sendable {
  package let index: Int
  package init(_ index: Int) { self.index = index }
  package static func < (a: FlagID, b: FlagID) -> Bool { a.index < b.index }
}

/// A dispatch group of the app, in the order of declaration.
package struct GroupID: Hashable, Comparable, Sendable {
  package let index: Int
  package init(_ index: Int) { self.index = index }
  package static func < (a: GroupID, b: GroupID) -> Bool { a.index < b.index }
}

/// A set of object IDs that the app keeps, in the order of declaration.
package struct IDSetID: Hashable, Comparable, Sendable {
  package let index: Int
  package init(_ index: Int) { self.index = index }
  package static func < (a: IDSetID, b: IDSetID) -> Bool { a.index < b.index }
}

/// An entry point of the app, in the order of declaration.
package struct EntryPointID: Hashable, Comparable, Sendable {
  package let index: Int
  package init(_ index: Int) { self.index = index }
  package static func < (a: EntryPointID, b: EntryPointID) -> Bool { a.index < b.index }
}

/// A fetched-results controller, in the order of declaration.
package struct ControllerID: Hashable, Comparable, Sendable {
  package let index: Int
  package init(_ index: Int) { self.index = index }
  package static func < (a: ControllerID, b: ControllerID) -> Bool { a.index < b.index }
}

/// Counterpart of `NSMergePolicyType`.
package enum MergePolicy: String, CaseIterable, Sendable {
  case error
  case mergeByPropertyStoreTrump
  case mergeByPropertyObjectTrump
  case overwrite
  case rollback
}

/// An app's design: which contexts stand on which, and which keep which up to date.
package struct Stack: Hashable, Sendable {
  package struct Store: Hashable, Sendable {
    package var name: String
    /// The entities that this store takes; nil takes all. Counterpart of a model configuration.
    package var entities: [EntityID]?
    /// An in-memory store: its rows go with it when it is removed, no two coordinators can share it
    /// (PS-06), and it refuses batch requests (FE-18). The others stand for SQLite files.
    package var isInMemory = false

    package init(name: String, entities: [EntityID]? = nil) {
      self.name = name
      self.entities = entities
    }
  }

  package struct Coordinator: Hashable, Sendable {
    package var name: String
    /// In the order in which they were added; the first that takes an entity gets its objects.
    package var stores: [StoreID]

    package init(name: String, stores: [StoreID]) {
      self.name = name
      self.stores = stores
    }
  }

  package enum ConcurrencyType: String, CaseIterable, Sendable {
    case mainQueue, privateQueue
    /// Belongs to a thread, and has no parent and no children (CC-05).
    case confinement
  }

  /// A serial queue that the app made, or a thread with a run loop: it takes one block after the
  /// other.
  package struct Queue: Hashable, Sendable {
    package var name: String

    package init(name: String) { self.name = name }
  }

  /// A Boolean variable of the app, which any queue may read and write; false at first.
  package struct Flag: Hashable, Sendable {
    package var name: String

    package init(name: String) { self.name = name }
  }

  /// Counterpart of `DispatchGroup`: one for all calls, empty at first.
  package struct Group: Hashable, Sendable {
    package var name: String

    package init(name: String) { self.name = name }
  }

  /// A variable of the app with IDs of objects, empty at first; any queue may read and write it.
  package struct IDSet: Hashable, Sendable {
    package var name: String

    package init(name: String) { self.name = name }
  }

  /// A function of the app, as what it does to its contexts.
  package struct EntryPoint: Hashable, Sendable {
    package var name: String
    package var steps: [AddressedStep]
    package var promises: [CallPromise] = []

    package init(name: String, steps: [AddressedStep]) {
      self.name = name
      self.steps = steps
    }
  }

  /// What things take, in milliseconds of virtual time.
  package struct Timing: Hashable, Sendable {
    /// A request that reads rows of a store.
    package var read = 0
    /// A save that writes to a store, or a batch request.
    package var write = 0
    /// Each row that a request reads or writes, besides the request itself.
    package var row = 0
    /// How long the main queue may be busy with one thing before people notice; 0 is for ever.
    package var mainQueueBudget = 0

    package init() {}
  }

  package enum Parent: Hashable, Sendable {
    case coordinator(CoordinatorID)
    case context(ContextID)
  }

  package struct Context: Hashable, Sendable {
    package var name: String
    package var concurrencyType: ConcurrencyType
    package var parent: Parent
    /// The thread of a confinement context; nil is the main thread.
    package var thread: AppQueueID? = nil
    package var mergePolicy = MergePolicy.error
    package var automaticallyMergesChangesFromParent = false
    /// With an undo manager; off by default (UN-01).
    package var hasUndoManager = false
    /// `stalenessInterval` 0 rather than -1: rows are read from the store, not from the row cache
    /// (FL-05). Only a root's counts.
    package var hasZeroStaleness = false
    /// Off: firing a fault whose row is gone raises, whatever the profile (FL-12).
    package var shouldDeleteInaccessibleFaults = true
    /// Keeps every instance until a reset (FL-18).
    package var retainsRegisteredObjects = false
    /// Off: deletes propagate at the save only (RL-10).
    package var propagatesDeletesAtEndOfEvent = true
    /// The app throws it away now and then and makes another: generated programs may, too, if it
    /// has no children.
    package var isDiscardable = false
    /// The app's other code does not get hold of it: generated programs take no steps on it, entry
    /// points and observers do.
    package var isHidden = false
    /// The app reads in it, and changes and saves elsewhere: generated programs neither change an
    /// object in it nor save it. Entry points and observers may.
    package var isReadOnly = false

    /// Whether its queue is the main queue.
    package var isOnMainQueue: Bool {
      concurrencyType == .mainQueue || concurrencyType == .confinement && thread == nil
    }

    package init(name: String, concurrencyType: ConcurrencyType, parent: Parent) {
      self.name = name
      self.concurrencyType = concurrencyType
      self.parent = parent
    }
  }

  /// A notification that a context posts.
  package enum NotificationName: String, CaseIterable, Sendable {
    case objectsDidChange, contextWillSave, didSave, didSaveObjectIDs
  }

  /// What happens when `context` posts `notification`. Observers are called in the order of
  /// declaration, on the posting lane, before the posting call returns (NT-06).
  package struct Observer: Hashable, Sendable {
    package var notification: NotificationName
    package var context: ContextID
    package var steps: [AddressedStep]

    package init(notification: NotificationName, context: ContextID, steps: [AddressedStep]) {
      self.notification = notification
      self.context = context
      self.steps = steps
    }
  }

  /// Counterpart of `NSFetchedResultsController`.
  package struct ResultsController: Hashable, Sendable {
    package var name: String
    package var context: ContextID
    /// With sort descriptors, without a window.
    package var request: FetchRequest
    /// The property whose values are sections: that of the first sort descriptor.
    package var sectionProperty: PropertyID?

    package init(
      name: String, context: ContextID, request: FetchRequest, sectionProperty: PropertyID? = nil
    ) {
      self.name = name
      self.context = context
      self.request = request
      self.sectionProperty = sectionProperty
    }
  }

  package var timing = Timing()
  package var stores: [Store] = []
  package var queues: [Queue] = []
  package var flags: [Flag] = []
  package var groups: [Group] = []
  package var idSets: [IDSet] = []
  package var coordinators: [Coordinator] = []
  package var contexts: [Context] = []
  package var observers: [Observer] = []
  package var controllers: [ResultsController] = []
  package var entryPoints: [EntryPoint] = []
  package var promises: [Promise] = []

  package init() {}

  package subscript(context: ContextID) -> Context { contexts[context.index] }

  package var contextIDs: [ContextID] { contexts.indices.map { ContextID($0) } }

  /// Whether two contexts are on one queue.
  package func shareQueue(_ a: ContextID, _ b: ContextID) -> Bool {
    a == b || self[a].isOnMainQueue && self[b].isOnMainQueue
  }

  /// The context above, or nil for a root.
  package func parent(of context: ContextID) -> ContextID? {
    if case .context(let parent) = contexts[context.index].parent { return parent }
    return nil
  }

  package func children(of context: ContextID) -> [ContextID] {
    var children: [ContextID] = []
    for index in contexts.indices where parent(of: ContextID(index)) == context {
      children.append(ContextID(index))
    }
    return children
  }

  /// `context`, its parent, and so on up to its root.
  package func chain(from context: ContextID) -> [ContextID] {
    var chain = [context]
    while let parent = parent(of: chain[chain.count - 1]) { chain.append(parent) }
    return chain
  }

  /// The coordinator at the top of `context`'s chain.
  package func coordinator(of context: ContextID) -> CoordinatorID {
    var root = context
    while let parent = parent(of: root) { root = parent }
    guard case .coordinator(let coordinator) = contexts[root.index].parent else {
      preconditionFailure("root \(contexts[root.index].name) has no coordinator")
    }
    return coordinator
  }

  /// The store that a new object of `entity` goes to: the first of the coordinator's that takes it
  /// (PS-01); nil if none does.
  package func store(for entity: EntityID, under coordinator: CoordinatorID) -> StoreID? {
    coordinators[coordinator.index].stores.first { store in
      stores[store.index].entities?.contains(entity) ?? true
    }
  }
}
