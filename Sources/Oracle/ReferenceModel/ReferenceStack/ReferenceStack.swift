import Determinism
package import ObjectModel
package import Vocabulary

/// An automatic merge that a save has announced but no action has performed yet.
package struct AwaitedMerge: Hashable, Sendable {
  package var context: ContextID
  package var number: Int

  package init(context: ContextID, number: Int) {
    self.context = context
    self.number = number
  }
}

/// A naive Core Data. It predicts the effects of every action, and the objects that every context
/// then shows.
///
/// The model is a transcription of `SEMANTICS.md` on values. It shares only the vocabulary with the
/// engine. A mistake goes unnoticed only if both make it.
package struct ReferenceStack: Sendable {
  var setting: Setting
  /// Unused. Its presence makes the compiler pass stacks by address.
  private let inPlace = HeldInPlace()
  var model: ObjectModel { _read { yield setting.model } }
  var stack: Stack { _read { yield setting.stack } }
  var shapes: [EntityShape] { _read { yield setting.shapes } }
  var order: ValueOrder { _read { yield setting.order } }
  var uniquenessConstraints: [UniquenessConstraint] {
    _read { yield setting.uniquenessConstraints }
  }

  let parentAwakensInsertedObject: Bool
  let childKeepsTemporaryID: Bool
  let rowHasTwoInstances: Bool
  let childSaveIgnoresMergePolicy: Bool
  let childSaveIgnoresEqualValues: Bool
  let ancestorCacheHidesUpdates: Bool
  let inaccessibleFaultRaises: Bool
  let deletedInsertReportsNotDeleted: Bool
  let mergeNotificationLacksObjects: Bool
  let objectTrumpRecreatesDeletedRow: Bool
  let deletionOverrulesUpdate: Bool
  let emptySaveLeavesMetadata: Bool
  let mergeReachesChildren: Bool
  let contextWillSaveComesFirst: Bool
  let editedInsertIsNotReported: Bool
  let goneObjectReadsDefaults: Bool
  let childSaveChecksVersion: Bool
  let mergedInsertionIsKept: Bool

  var contexts: [Context]
  var stores: [Store]
  var coordinators: [Coordinator]
  /// Indexed by coordinator.
  var rowCaches: [IDTable<Row>]
  /// Births of objects, indexed by the serial of the temporary ID minus 1.
  var births: [Birth] = []
  /// DidSaves and batch results in one sequence, indexed by number.
  var announcements: [Announcement] = []
  var nextHookValue = 1
  /// Indexed by controller.
  var lists: [ResultsList]
  /// The automatic merges that saves have announced but no action has performed yet.
  package internal(set) var awaitedMerges: [AwaitedMerge] = []
  /// The awaited merges that the last action announced.
  package internal(set) var announcedMerges: [AwaitedMerge] = []
  /// The contexts whose objects are held by notifications of the last action, in ID order.
  package internal(set) var deliveringContexts: [ContextID] = []
  /// The object IDs of each ID set. Never iterated, so that its order has no effect.
  var notedIDs: [IDSetID: [ObjectID]] = [:]

  /// The events of the running action, or of the last one.
  package internal(set) var events: [Event] = []
  /// A Boolean value that indicates whether this action may have left an instance unneeded.
  var needsCollection = false
  /// A Boolean value that indicates whether a fetch binds its results to names. An app's code holds
  /// instances itself.
  package var holdsResults = true
  /// The calls of overridden hooks during the next action. Calls left over were not predicted.
  package var hookCalls: [HookCall] = []

  /// Tables that depend on the model alone, shared by the stacks of many runs.
  package struct ModelTables: Sendable {
    let setting: Setting

    package init(_ model: ObjectModel) { setting = Setting(model, Stack()) }
  }

  /// The constant parts of a stack behind a single reference. Copies of a stack would otherwise
  /// retain dozens of references.
  final class Setting: Sendable {
    let model: ObjectModel
    let stack: Stack
    /// The observed notifications, indexed by context.
    let observed: [[Stack.NotificationName]]
    let shapes: [EntityShape]
    let order: ValueOrder
    let uniquenessConstraints: [UniquenessConstraint]

    /// Copies `other` with another stack, and with a model that has the same entities.
    init(_ other: Setting, _ model: ObjectModel, _ stack: Stack) {
      (self.model, self.stack) = (model, stack)
      observed = Setting.observed(of: stack)
      (shapes, uniquenessConstraints) = (other.shapes, other.uniquenessConstraints)
      order = ValueOrder(symbols: model.symbols)
    }

    init(_ model: ObjectModel, _ stack: Stack) {
      (self.model, self.stack) = (model, stack)
      shapes = EntityShape.all(of: model)
      order = ValueOrder(symbols: model.symbols)
      uniquenessConstraints = UniquenessConstraint.all(of: model)
      observed = Setting.observed(of: stack)
    }

    private static func observed(of stack: Stack) -> [[Stack.NotificationName]] {
      stack.contextIDs.map { context in
        stack.observers.filter { $0.context == context }.map(\.notification)
      }
    }
  }

  /// Creates the stack. Tables, if given, must belong to this model.
  package init(
    model: ObjectModel, _ tables: ModelTables? = nil, stack: Stack, quirks: QuirkSet
  ) {
    var storage = ReferenceStorage()
    self.init(model: model, tables, stack: stack, quirks: quirks, in: &storage)
  }

  /// Creates the stack in the memory of an earlier stack.
  package init(
    model: ObjectModel, _ tables: ModelTables?, stack: Stack, quirks: QuirkSet,
    in storage: inout ReferenceStorage
  ) {
    setting = tables.map { Setting($0.setting, model, stack) } ?? Setting(model, stack)
    parentAwakensInsertedObject = quirks.contains(.parentAwakensInsertedObject)
    childKeepsTemporaryID = quirks.contains(.childKeepsTemporaryID)
    rowHasTwoInstances = quirks.contains(.rowHasTwoInstances)
    childSaveIgnoresMergePolicy = quirks.contains(.childSaveIgnoresMergePolicy)
    childSaveIgnoresEqualValues = quirks.contains(.childSaveIgnoresEqualValues)
    ancestorCacheHidesUpdates = quirks.contains(.ancestorCacheHidesUpdates)
    inaccessibleFaultRaises = quirks.contains(.inaccessibleFaultRaises)
    deletedInsertReportsNotDeleted = quirks.contains(.deletedInsertReportsNotDeleted)
    mergeNotificationLacksObjects = quirks.contains(.mergeNotificationLacksObjects)
    objectTrumpRecreatesDeletedRow = quirks.contains(.objectTrumpRecreatesDeletedRow)
    deletionOverrulesUpdate = quirks.contains(.deletionOverrulesUpdate)
    emptySaveLeavesMetadata = quirks.contains(.emptySaveLeavesMetadata)
    mergeReachesChildren = quirks.contains(.mergeReachesChildren)
    contextWillSaveComesFirst = quirks.contains(.contextWillSaveComesFirst)
    editedInsertIsNotReported = quirks.contains(.editedInsertIsNotReported)
    goneObjectReadsDefaults = quirks.contains(.goneObjectReadsDefaults)
    childSaveChecksVersion = quirks.contains(.childSaveChecksVersion)
    mergedInsertionIsKept = quirks.contains(.mergedInsertionIsKept)
    contexts = ReferenceStack.contexts(of: stack)
    stores = stack.stores.map { _ in Store() }
    coordinators = ReferenceStack.coordinators(of: stack)
    rowCaches = stack.coordinators.map { _ in IDTable() }
    lists = stack.controllers.map { _ in ResultsList() }
    storage.give(to: &self)
    if births.capacity == 0 { births.reserveCapacity(16) }
    assert(rowCaches.count == coordinators.count, "a coordinator has no row cache")
  }

  /// Predicts the `events` of one action, in order, and advances the stack. §perform-action.3
  ///
  /// Read `events` from the property instead of the returned array, which saves the next action an
  /// allocation.
  @discardableResult
  package mutating func perform(_ action: Action) -> [Event] {
    forgetLastAction()
    switch action {
    case .step(let addressed, let phase):
      run(addressed.step, phase, in: addressed.context)
      if letsGo(addressed.step) { needsCollection = true }
    case .merge(let context, let number):
      let merge = AwaitedMerge(context: context, number: number)
      if let index = awaitedMerges.firstIndex(of: merge) { awaitedMerges.remove(at: index) }
      self.merge(number, into: context)
    case .mergeRemote(let context, let number):
      assert(announcements.indices.contains(number), "nothing was announced under this number")
      needsCollection = true
      mergeRemote(number, into: context)
    case .wrongQueue(let context):
      events.append(.failed(.wrongQueue(context)))
    // §end-event
    case .endOfEvent(let context):
      processPendingChanges(in: context)
      if touchedContexts != 0 || !contexts[context.index].pool.isEmpty { needsCollection = true }
      contexts[context.index].pool.removeAll()
    // §end-delivery
    case .endOfDelivery(let context):
      needsCollection = true
      precondition(
        contexts[context.index].deliveries.popLast() != nil, "no delivery of \(context) is on")
    }
    // §perform-action.4, §perform-action.5
    if !stack.observers.isEmpty { holdWhatIsDelivered() }
    if needsCollection { collect(after: action) }
    #if DEBUG
      // A run of code checks them only at its end, which halves the time of an app's debug build.
      if holdsResults { checkInvariants() }
    #endif
    return events
  }

  /// Returns true if `step`, which has been performed, may have left an instance unneeded. Ignores
  /// effects that set `needsCollection`.
  private func letsGo(_ step: Step) -> Bool {
    switch step {
    case .get, .set, .insert: false
    // These steps release only instances that they have touched.
    case .save, .processPendingChanges: touchedContexts != 0
    default: true
    }
  }

  private mutating func forgetLastAction() {
    events.removeFew()
    needsCollection = false
    if !announcedMerges.isEmpty { announcedMerges = [] }
    if !deliveringContexts.isEmpty { deliveringContexts = [] }
    for index in contexts.indices where !contexts[index].instances.touched.isEmpty {
      contexts[index].updateLists()
      contexts[index].instances.forgetTouched()
    }
    for index in stores.indices where !stores[index].rows.touched.isEmpty {
      stores[index].rows.forgetTouched()
    }
    for index in rowCaches.indices where !rowCaches[index].touched.isEmpty {
      rowCaches[index].forgetTouched()
    }
  }

  /// Returns the views of all registered instances of `context`, sorted by ID.
  package func view(of context: ContextID) -> [InstanceView] {
    contexts[context.index].instances.map { view(of: $0) }
  }

  /// Returns true if `isShown` holds for every registered instance. Stops at the first failure.
  package func shows(in context: ContextID, _ isShown: (InstanceView) -> Bool) -> Bool {
    let instances = contexts[context.index].instances
    for position in instances.indices where !isShown(view(of: instances[position])) {
      return false
    }
    return true
  }

  /// Returns true if `isShown` holds for every row of a store.
  package func shows(of store: StoreID, _ isShown: (RowView) -> Bool) -> Bool {
    let rows = stores[store.index].rows
    for position in rows.indices where !isShown(view(of: rows[position])) { return false }
    return true
  }

  /// Returns the instance with exactly this ID, or nil, in O(log n).
  package func view(of id: ObjectID, in context: ContextID) -> InstanceView? {
    guard let instance = contexts[context.index].instances[id] else { return nil }
    return view(of: instance)
  }

  /// Returns an instance as an app can see it. §view
  private func view(of instance: Instance) -> InstanceView {
    InstanceView(
      id: instance.id, isFault: instance.isFault, isInserted: instance.isInserted,
      isUpdated: instance.isUpdated,
      isDeleted: instance.isDeleted || instance.isDiscarded && !deletedInsertReportsNotDeleted,
      values: instance.isFault ? [] : instance.values,
      collections: instance.isFault ? [] : instance.collections)
  }

  /// Returns the rows of `store`, sorted by ID.
  package func rows(of store: StoreID) -> [RowView] {
    stores[store.index].rows.map { view(of: $0) }
  }

  /// Returns a row, or nil if the store has no such row, in O(log n).
  package func row(_ id: ObjectID, of store: StoreID) -> RowView? {
    guard let row = stores[store.index].rows[id] else { return nil }
    return view(of: row)
  }

  private func view(of row: Row) -> RowView {
    RowView(
      id: row.id, version: row.snapshot.version, values: row.snapshot.values,
      collections: row.snapshot.collections)
  }

  /// Returns the number of registered instances.
  package func instanceCount(of context: ContextID) -> Int {
    contexts[context.index].instances.count
  }

  package func rowCount(of store: StoreID) -> Int { stores[store.index].rows.count }

  /// Returns the IDs of the instances that the last action may have changed, registered or
  /// released. An ID may occur twice. A kill creates all contexts again, so earlier instances are
  /// missing.
  package func touched(in context: ContextID) -> [ObjectID] {
    contexts[context.index].instances.touched
  }

  /// A bit mask of the touched contexts. Contexts whose indices are equal modulo 64 share a bit.
  package var touchedContexts: UInt64 {
    var bits: UInt64 = 0
    for index in contexts.indices where !contexts[index].instances.touched.isEmpty {
      bits |= 1 << UInt64(index & 63)
    }
    return bits
  }

  /// A Boolean value that indicates whether the last action may have changed a row of any store.
  package var hasTouchedRows: Bool {
    for index in stores.indices where !stores[index].rows.touched.isEmpty { return true }
    return false
  }

  /// Returns the IDs of the rows of a store that the last action may have changed.
  package func touchedRows(of store: StoreID) -> [ObjectID] { stores[store.index].rows.touched }

  /// The registered instance with an ID in a context. The instance must exist.
  subscript(context: ContextID, id: ObjectID) -> Instance {
    _read { yield contexts[context.index].instances[existing: id] }
    _modify { yield &contexts[context.index].instances[existing: id] }
  }

  func shape(of property: Int, of id: ObjectID) -> PropertyShape {
    shapes[id.entity.index].properties[property]
  }
}
