import Determinism
package import ObjectModel
package import SimulatedDispatch
package import Vocabulary

/// A Core Data stack, its queues and its clock, as one value.
///
/// Copy it in the middle of a save, run both copies, and they do the same. Nothing in here knows
/// of chance: the caller decides which lane runs next, everything else follows.
///
/// What each step does is laid down in `Sources/SEMANTICS.md`; the extensions follow its chapters:
/// `+Identity`, `+Loading`, `+FiringCollections`, `+Changing` (with `+EventStarts`),
/// `+Relationships`, `+Processing`, `+Saving` (with `+Validating`, `+SavingToStore`,
/// `+WritingRows`, `+SavingToParent` and `+SaveEvidence`), `+Fetching`, `+Refreshing`, `+Merging`,
/// `+Collecting`, `+Asking`, `+Undoing`. `+Killing` ends the app. `+Lanes` turns steps into frames
/// on lanes, with `+Queues`, `+StartingSteps`, `+LettingGo` and `+Delivering`. `+Slots` lists
/// instances. `+Inspecting`, `+Reporting` and `+Comparing` are for checks and reports;
/// `+Invariants` checks the world itself.
package struct World: Hashable {
  var setting: Setting
  /// Never read: it makes the compiler pass worlds by address.
  private let inPlace = HeldInPlace()
  package var model: ObjectModel { _read { yield setting.model } }
  package var stack: Stack { _read { yield setting.stack } }
  /// By entity, then property: what the inner loops need of the model.
  var shapes: [[PropertyShape]] { _read { yield setting.shapes } }
  /// By entity: its to-many relationships.
  var collectionSets: [PropertySet] { _read { yield setting.collectionSets } }
  var hasRelationships: [Bool] { _read { yield setting.hasRelationships } }
  /// By entity: whether a to-many relationship can lead to its objects.
  var isCollected: [Bool] { _read { yield setting.isCollected } }
  var valueOrder: ValueOrder { _read { yield setting.valueOrder } }
  var constraints: [UniquenessConstraint] { _read { yield setting.constraints } }

  package let quirks: QuirkSet
  package let bugs: PlantedBugSet

  var stores: [RowTable]
  /// By store.
  package internal(set) var metadata: [Int]
  /// By store: the next write that it refuses, from 1.
  var refusals: [Int?]
  var coordinators: [PersistentStoreCoordinator]
  var contexts: [ManagedObjectContext]
  var controllers: [ResultsController]
  /// By flag of the app: whether it is raised.
  var flags: [Bool]
  /// By set of the app: the IDs as they were remembered, each once.
  var idSets: [[ObjectID]]

  /// By serial of a temporary ID, from 1.
  var identities: [Identity] = []
  /// By store and key, from 1: the temporary ID that the row's object once had.
  var temporaryIDs: [[ObjectID?]]

  /// DidSave notifications and batch results by number, each with its context.
  var didSaves: [DidSave] = []
  /// The number that the next `setNext` of a hook takes.
  var nextHookNumber = 1

  package var dispatcher = Dispatcher<Frame>()
  var queues = Queues()
  /// What could be observed of the running action.
  package internal(set) var events: [Event] = []
  /// The rare branches that this world has been through.
  package internal(set) var marks = MarkSet()
  /// Which requests the running action made to a store.
  package internal(set) var storeAccess = StoreAccess()
  /// In which contexts it looked for instances that may leave.
  package internal(set) var collectedContexts: [ContextID] = []
  /// What it did that no event says.
  package internal(set) var evidence: [Evidence] = []
  /// The queues on which the last turn of a lane put a block, if `notesWrites`.
  package internal(set) var enqueuedOn: [QueueID] = []
  /// The step that it began, likewise.
  package internal(set) var begunStep: AddressedStep?
  /// The calls of entry points that programs have begun, in order, likewise.
  package internal(set) var calls: [Call] = []
  /// Whether `evidence` has what saves wrote, too: only checks of a whole run need it.
  package var notesWrites = false
  /// Whether the program holds what its fetches find under the names of the objects; code holds
  /// instances itself.
  package var holdsResults = true
  /// Nil unless code drives the world.
  package var code: CodeHooks?

  /// What is known of an object that was inserted.
  struct Identity: Hashable {
    let origin: ContextID
    let name: ObjectName?
    /// The ID of its row, once it has one.
    var permanent: ObjectID?
    /// Where the program wants it to be saved.
    var assignedStore: StoreID?
  }

  struct DidSave: Hashable {
    var context: ContextID
    var sets: ChangeSets
    var isBatch = false
  }

  /// `tables`, if there are any, are of this model.
  package init(
    model: ObjectModel, _ tables: ModelTables? = nil, stack: Stack, quirks: QuirkSet,
    bugs: PlantedBugSet
  ) {
    var room = WorldRoom()
    self.init(model: model, tables, stack: stack, quirks: quirks, bugs: bugs, in: &room)
  }

  /// Likewise, in the memory of a world before it.
  package init(
    model: ObjectModel, _ tables: ModelTables?, stack: Stack, quirks: QuirkSet,
    bugs: PlantedBugSet, in room: inout WorldRoom
  ) {
    setting = tables.map { Setting($0.setting, stack, model) } ?? Setting(model, stack)
    self.quirks = quirks
    self.bugs = bugs
    // `Array(repeating:)` is not specialised here, and slower.
    stores = stack.stores.map { _ in RowTable() }
    metadata = stack.stores.map { _ in 0 }
    refusals = stack.stores.map { _ in nil }
    temporaryIDs = stack.stores.map { _ in [] }
    coordinators = stack.coordinators.map {
      PersistentStoreCoordinator(stores: $0.stores, storeCount: stack.stores.count)
    }
    contexts = stack.contextIDs.map { ManagedObjectContext($0, in: stack) }
    controllers = stack.controllers.map { _ in ResultsController() }
    flags = stack.flags.map { _ in false }
    idSets = stack.idSets.map { _ in [] }
    makeQueues()
    room.give(to: &self)
    if identities.capacity == 0 { identities.reserveCapacity(16) }
    assert(queues.ofContexts.count == contexts.count, "a context has no queue")
  }

  // MARK: Looking at it

  /// The registered instances of a context, by ID.
  package func view(of context: ContextID) -> [InstanceView] {
    var views: [InstanceView] = []
    views.reserveCapacity(instanceCount(of: context))
    for slot in registeredSlots(of: context) {
      views.append(view(ofSlot: slot, in: context))
    }
    return views
  }

  /// Part by part, in place: to copy the object takes longer than all else.
  func view(ofSlot slot: Int, in context: ContextID) -> InstanceView {
    let c = context.index
    let traits = traits(ofSlot: slot, in: context)
    return InstanceView(
      id: contexts[c].objects[slot].id, isFault: traits.isFault,
      isInserted: traits.isInserted, isUpdated: traits.isUpdated, isDeleted: traits.isDeleted,
      values: traits.isFault ? [] : contexts[c].objects[slot].current.values,
      collections: traits.isFault ? [] : contexts[c].objects[slot].current.collections)
  }

  /// What an instance reports of itself.
  private func traits(
    ofSlot slot: Int, in context: ContextID
  ) -> (isFault: Bool, isInserted: Bool, isUpdated: Bool, isDeleted: Bool) {
    let flags = contexts[context.index].objects[slot].flags
    let isDiscarded = flags.contains(.discarded)
    let hidesDeletion = quirks.contains(.deletedInsertReportsNotDeleted)
    return (
      flags.contains(.fault), flags.contains(.inserted) && !isDiscarded,
      flags.contains(.updated) && !isDiscarded,
      flags.contains(.deleted) || isDiscarded && !hidesDeletion
    )
  }

  /// Nil if there is no instance with exactly this ID.
  package func view(of id: ObjectID, in context: ContextID) -> InstanceView? {
    guard let slot = contexts[context.index].registry.slot(of: id) else { return nil }
    return view(ofSlot: slot, in: context)
  }

  /// As the stack has them, without a copy of it.
  package func parent(of context: ContextID) -> ContextID? { contexts[context.index].parent }
  package func isRoot(_ context: ContextID) -> Bool { contexts[context.index].isRoot }

  package var contextCount: Int { contexts.count }
  package var storeCount: Int { stores.count }

  /// How many instances are registered.
  package func instanceCount(of context: ContextID) -> Int {
    contexts[context.index].registry.count
  }

  /// The IDs of all instances that the last action may have changed, registered or let go; may have
  /// one twice. After a kill, which makes all contexts anew, it lacks those that there were.
  package func touched(in context: ContextID) -> [ObjectID] {
    contexts[context.index].objects.touched
  }

  /// Whether a context shows just this of the instance with the ID of the view. In place: a view of
  /// its own would count two references.
  package func shows(_ view: InstanceView, in context: ContextID) -> Bool {
    let c = context.index
    guard let slot = contexts[c].registry.slot(of: view.id) else { return false }
    let traits = traits(ofSlot: slot, in: context)
    guard view.isFault == traits.isFault, view.isInserted == traits.isInserted,
      view.isUpdated == traits.isUpdated, view.isDeleted == traits.isDeleted
    else { return false }
    if view.isFault { return view.values.isEmpty && view.collections.isEmpty }
    return contexts[c].objects[slot].current.values.isSame(as: view.values)
      && contexts[c].objects[slot].current.collections == view.collections
  }

  /// The contexts of which something is touched, as bits, of those with the same number modulo 64
  /// together.
  package var touchedContexts: UInt64 {
    var bits: UInt64 = 0
    for index in contexts.indices where !contexts[index].objects.touched.isEmpty {
      bits |= 1 << UInt64(index & 63)
    }
    return bits
  }

  /// The rows of a store, by ID.
  package func rows(of store: StoreID) -> [RowView] {
    stores[store.index].ids.compactMap { row($0, of: store) }
  }

  /// Nil if there is no such row.
  package func row(_ id: ObjectID, of store: StoreID) -> RowView? {
    stores[store.index][id].map {
      RowView(id: $0.id, version: $0.version, values: $0.values, collections: $0.collections)
    }
  }

  package func rowCount(of store: StoreID) -> Int { stores[store.index].ids.count }

  /// The IDs of all rows that the last action may have changed; may have one twice.
  package func touchedRows(of store: StoreID) -> [ObjectID] { stores[store.index].touched }

  /// Whether the last action may have changed a row of any store.
  package var hasTouchedRows: Bool {
    for index in stores.indices where !stores[index].touched.isEmpty { return true }
    return false
  }

  /// Whether a row that the last action may have changed can have relationships that go both ways.
  package var hasTouchedRowsWithInverses: Bool {
    for store in stores.indices {
      for id in stores[store].touched where setting.hasInverses[id.entity.index] { return true }
    }
    return false
  }

  package mutating func forgetTouched() {
    // To empty what is empty costs more than to look.
    for index in contexts.indices where !contexts[index].objects.touched.isEmpty {
      contexts[index].objects.forgetTouched()
    }
    for index in stores.indices where !stores[index].touched.isEmpty {
      stores[index].forgetTouched()
    }
  }

  /// The instance that the program holds under `name` in a context, if it is still registered.
  package func heldInstance(_ context: ContextID, _ name: ObjectName) -> InstanceView? {
    guard case .slot(let slot) = contexts[context.index].binding(of: name) else { return nil }
    return view(ofSlot: slot, in: context)
  }

  /// Whether its row was missing when it was fired: it reads nil, whatever there was (FL-14).
  package func isInaccessible(_ name: ObjectName, in context: ContextID) -> Bool {
    guard case .slot(let slot) = contexts[context.index].binding(of: name) else { return false }
    return contexts[context.index].objects[slot].flags.contains(.inaccessible)
  }

  /// The ID that `name` reports in a context, also of an instance that has left it.
  package func heldID(_ context: ContextID, _ name: ObjectName) -> ObjectID? {
    switch contexts[context.index].binding(of: name) {
    case .unbound: nil
    case .slot(let slot): contexts[context.index].objects[slot].id
    case .gone(let id): id
    }
  }

  package func hasChanges(_ context: ContextID) -> Bool {
    // An object that was inserted and deleted is no change (CT-08).
    contexts[context.index].objects.changedCount > 0
  }

  /// How many DidSave notifications a context has posted.
  package func didSaveCount(of context: ContextID) -> Int {
    didSaves.count { $0.context == context && !$0.isBatch }
  }
}

/// A step ends here, with a failure.
struct StepFailure: Error {
  let failure: Failure
}
