package import ObjectModel

/// The index of a context in declaration order. Parents precede their children.
@usableFromInline package struct ContextID: Hashable, Comparable, Sendable {
  @usableFromInline package let index: Int
  @inlinable package init(_ index: Int) { self.index = index }
  @inlinable package static func < (a: ContextID, b: ContextID) -> Bool { a.index < b.index }
  @inlinable package static func == (a: ContextID, b: ContextID) -> Bool { a.index == b.index }
}

/// The index of a persistent store coordinator in declaration order.
package struct CoordinatorID: Hashable, Comparable, Sendable {
  package let index: Int
  package init(_ index: Int) { self.index = index }
  package static func < (a: CoordinatorID, b: CoordinatorID) -> Bool { a.index < b.index }
}

/// The index of an app-defined serial queue in declaration order.
package struct AppQueueID: Hashable, Comparable, Sendable {
  package let index: Int
  package init(_ index: Int) { self.index = index }
  package static func < (a: AppQueueID, b: AppQueueID) -> Bool { a.index < b.index }
}

/// The index of an app-defined flag in declaration order.
package struct FlagID: Hashable, Comparable, Sendable {
  package let index: Int
  package init(_ index: Int) { self.index = index }
  package static func < (a: FlagID, b: FlagID) -> Bool { a.index < b.index }
}

/// The index of an app-defined dispatch group in declaration order.
package struct GroupID: Hashable, Comparable, Sendable {
  package let index: Int
  package init(_ index: Int) { self.index = index }
  package static func < (a: GroupID, b: GroupID) -> Bool { a.index < b.index }
}

/// The index of an app-defined set of object IDs in declaration order.
package struct IDSetID: Hashable, Comparable, Sendable {
  package let index: Int
  package init(_ index: Int) { self.index = index }
  package static func < (a: IDSetID, b: IDSetID) -> Bool { a.index < b.index }
}

/// The index of an entry point of the app in declaration order.
package struct EntryPointID: Hashable, Comparable, Sendable {
  package let index: Int
  package init(_ index: Int) { self.index = index }
  package static func < (a: EntryPointID, b: EntryPointID) -> Bool { a.index < b.index }
}

/// The index of a fetched-results controller in declaration order.
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

/// The Core Data design of an app: its stores, coordinators and contexts, with the observers and
/// entry points that use them.
package struct Stack: Hashable, Sendable {
  package struct Store: Hashable, Sendable {
    package var name: String
    /// The entities that this store accepts, or `nil` for all. Counterpart of a model
    /// configuration.
    package var entities: [EntityID]?
    /// A Boolean value that indicates whether the store is kept in memory.
    ///
    /// An in-memory store loses its rows when it is removed. It cannot be shared by coordinators
    /// (PS-06) and refuses batch requests (FE-18). Other stores stand for SQLite files.
    package var isInMemory = false

    package init(name: String, entities: [EntityID]? = nil) {
      self.name = name
      self.entities = entities
    }
  }

  package struct Coordinator: Hashable, Sendable {
    package var name: String
    /// The stores, in the order in which they were added. New objects go to the first store that
    /// accepts their entity.
    package var stores: [StoreID]

    package init(name: String, stores: [StoreID]) {
      self.name = name
      self.stores = stores
    }
  }

  package enum ConcurrencyType: String, CaseIterable, Sendable {
    case mainQueue, privateQueue
    /// Belongs to a thread, and has neither a parent nor children (CC-05).
    case confinement
  }

  /// An app-defined serial queue, or a thread with a run loop. It runs one block at a time.
  package struct Queue: Hashable, Sendable {
    package var name: String

    package init(name: String) { self.name = name }
  }

  /// A Boolean variable of the app, initially false. Any queue may read and write it.
  package struct Flag: Hashable, Sendable {
    package var name: String

    package init(name: String) { self.name = name }
  }

  /// Counterpart of `DispatchGroup`. All calls share one group, which is initially empty.
  package struct Group: Hashable, Sendable {
    package var name: String

    package init(name: String) { self.name = name }
  }

  /// A variable of the app that holds object IDs, initially empty. Any queue may read and write it.
  package struct IDSet: Hashable, Sendable {
    package var name: String

    package init(name: String) { self.name = name }
  }

  /// A function of the app, described by the steps that it takes on contexts.
  package struct EntryPoint: Hashable, Sendable {
    package var name: String
    package var steps: [AddressedStep]
    package var promises: [CallPromise] = []

    package init(name: String, steps: [AddressedStep]) {
      self.name = name
      self.steps = steps
    }
  }

  /// The durations of operations, in milliseconds of virtual time.
  package struct Timing: Hashable, Sendable {
    /// The duration of a request that reads rows of a store.
    package var read = 0
    /// The duration of a save that writes to a store, or of a batch request.
    package var write = 0
    /// The additional duration for each row that a request reads or writes.
    package var row = 0
    /// The longest time that one piece of work may block the main queue before users notice. 0
    /// means no limit.
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
    /// The thread of a confinement context, or `nil` for the main thread.
    package var thread: AppQueueID? = nil
    package var mergePolicy = MergePolicy.error
    package var automaticallyMergesChangesFromParent = false
    /// A Boolean value that indicates whether the context has an undo manager. Off by default
    /// (UN-01).
    package var hasUndoManager = false
    /// A Boolean value that indicates whether `stalenessInterval` is 0 instead of -1.
    ///
    /// With 0, faults are filled from the store and not from the row cache (FL-05). The setting has
    /// an effect in root contexts only.
    package var hasZeroStaleness = false
    /// If false, firing a fault whose row is missing raises an exception in every profile (FL-12).
    package var shouldDeleteInaccessibleFaults = true
    /// If true, the context keeps every instance until a reset (FL-18).
    package var retainsRegisteredObjects = false
    /// If false, deletes propagate only when the context is saved (RL-10).
    package var propagatesDeletesAtEndOfEvent = true
    /// If true, the app discards the context now and then and creates another one. Generated
    /// programs may do the same if the context has no children.
    package var isDiscardable = false
    /// If true, only entry points and observers use the context. Generated programs take no steps
    /// on it.
    package var isHidden = false
    /// If true, the app only reads in the context, and changes and saves elsewhere. Generated
    /// programs neither change objects in it nor save it, while entry points and observers may.
    package var isReadOnly = false

    /// A Boolean value that indicates whether the context's queue is the main queue.
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

  /// The steps that run when `context` posts `notification`.
  ///
  /// Observers are called in declaration order, on the posting lane, before the posting call
  /// returns (NT-06).
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
    /// The fetch request, with sort descriptors and without offset and limit.
    package var request: FetchRequest
    /// The property whose values divide the results into sections. It is the property of the first
    /// sort descriptor.
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
  package var contextPromises: [ContextPromise] = []

  package init() {}

  package subscript(context: ContextID) -> Context { contexts[context.index] }

  package var contextIDs: [ContextID] { contexts.indices.map { ContextID($0) } }

  /// Returns a Boolean value that indicates whether two contexts use the same queue.
  package func shareQueue(_ a: ContextID, _ b: ContextID) -> Bool {
    a == b || self[a].isOnMainQueue && self[b].isOnMainQueue
  }

  /// Returns the parent of `context`, or `nil` for a root.
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

  /// Returns `context` and its ancestors, up to the root.
  package func chain(from context: ContextID) -> [ContextID] {
    var chain = [context]
    while let parent = parent(of: chain[chain.count - 1]) { chain.append(parent) }
    return chain
  }

  /// Returns the coordinator of `context`'s root.
  package func coordinator(of context: ContextID) -> CoordinatorID {
    var root = context
    while let parent = parent(of: root) { root = parent }
    guard case .coordinator(let coordinator) = contexts[root.index].parent else {
      preconditionFailure("root \(contexts[root.index].name) has no coordinator")
    }
    return coordinator
  }

  /// Returns the store for new objects of `entity`: the coordinator's first store that accepts it
  /// (PS-01), or `nil` if none does.
  package func store(for entity: EntityID, under coordinator: CoordinatorID) -> StoreID? {
    coordinators[coordinator.index].stores.first { store in
      stores[store.index].entities?.contains(entity) ?? true
    }
  }
}
