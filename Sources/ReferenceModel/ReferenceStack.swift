import Determinism
package import ObjectModel
package import Vocabulary

/// An automatic merge that a save has announced and that has not been performed.
package struct AwaitedMerge: Hashable, Sendable {
  package var context: ContextID
  package var number: Int

  package init(context: ContextID, number: Int) {
    self.context = context
    self.number = number
  }
}

/// The naive Core Data: predicts what every action does and what every context then shows.
///
/// A transcription of `SEMANTICS.md` on values. It shares nothing with the engine but the
/// vocabulary, so that a mistake must be made twice to go unseen.
package struct ReferenceStack: Sendable {
  var setting: Setting
  /// Never read: it makes the compiler pass stacks by address.
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
  /// By coordinator.
  var rowCaches: [IDTable<Row>]
  /// By serial of the temporary ID, from 1.
  var births: [Birth] = []
  /// By number: DidSaves and batch results in one sequence.
  var announcements: [Announcement] = []
  var nextHookValue = 1
  /// By controller.
  var lists: [ResultsList]
  /// Automatic merges that a save has announced and that have not been performed.
  package internal(set) var awaitedMerges: [AwaitedMerge] = []
  /// Those of them that the last action has announced.
  package internal(set) var announcedMerges: [AwaitedMerge] = []
  /// The contexts of which the last action's notifications hold objects, by ID.
  package internal(set) var deliveringContexts: [ContextID] = []
  /// What each set of the app has; looked up by its ID, never gone through.
  var notedIDs: [IDSetID: [ObjectID]] = [:]

  /// Of the action that runs, or ran last.
  package internal(set) var events: [Event] = []
  /// Whether anything may have become collectable by this action.
  var needsCollection = false
  /// Whether a fetch binds what it finds to the names of the objects; code holds instances itself.
  package var holdsResults = true
  /// What classes did in their hooks during the action to come; what is left was not predicted.
  package var hookCalls: [HookCall] = []

  /// What follows from a model alone, for the stacks of many runs on it.
  package struct ModelTables: Sendable {
    let setting: Setting

    package init(_ model: ObjectModel) { setting = Setting(model, Stack()) }
  }

  /// What never changes: one reference, where a copy of a stack would have to count dozens.
  final class Setting: Sendable {
    let model: ObjectModel
    let stack: Stack
    /// By context: what is observed of it.
    let observed: [[Stack.NotificationName]]
    let shapes: [EntityShape]
    let order: ValueOrder
    let uniquenessConstraints: [UniquenessConstraint]

    /// As `other`, with another stack, and a model that has the same entities.
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

  /// `tables`, if there are any, are of this model.
  package init(
    model: ObjectModel, _ tables: ModelTables? = nil, stack: Stack, quirks: QuirkSet
  ) {
    var room = ReferenceRoom()
    self.init(model: model, tables, stack: stack, quirks: quirks, in: &room)
  }

  /// Likewise, in the room of a stack before it.
  package init(
    model: ObjectModel, _ tables: ModelTables?, stack: Stack, quirks: QuirkSet,
    in room: inout ReferenceRoom
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
    room.give(to: &self)
    if births.capacity == 0 { births.reserveCapacity(16) }
    assert(rowCaches.count == coordinators.count, "a coordinator has no row cache")
  }

  /// Predicts the `events` of one action, in order, and moves on. To look at them there, and not at
  /// what is returned, spares the next action new memory.
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
    case .endOfEvent(let context):
      processPendingChanges(in: context)
      if touchedContexts != 0 || !contexts[context.index].pool.isEmpty { needsCollection = true }
      contexts[context.index].pool.removeAll()
    case .endOfDelivery(let context):
      needsCollection = true
      precondition(
        contexts[context.index].deliveries.popLast() != nil, "no delivery of \(context) is on")
    }
    if !stack.observers.isEmpty { holdWhatIsDelivered() }
    if needsCollection { collect(after: action) }
    #if DEBUG
      // Of a run of code at the end only: the debug builds of apps take half as long.
      if holdsResults { checkInvariants() }
    #endif
    return events
  }

  /// Whether `step`, which has been carried out, can have let go of anything, besides what has set
  /// `needsCollection`.
  private func letsGo(_ step: Step) -> Bool {
    switch step {
    case .get, .set, .insert: false
    // Only of what they have touched.
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

  /// What a program could see of `context`: registered instances, sorted by ID.
  package func view(of context: ContextID) -> [InstanceView] {
    contexts[context.index].instances.map { view(of: $0) }
  }

  /// Whether `isShown` holds of every registered instance; stops at the first of which it does not.
  package func shows(in context: ContextID, _ isShown: (InstanceView) -> Bool) -> Bool {
    let instances = contexts[context.index].instances
    for position in instances.indices where !isShown(view(of: instances[position])) {
      return false
    }
    return true
  }

  /// Likewise of every row of a store.
  package func shows(of store: StoreID, _ isShown: (RowView) -> Bool) -> Bool {
    let rows = stores[store.index].rows
    for position in rows.indices where !isShown(view(of: rows[position])) { return false }
    return true
  }

  /// Nil if there is no instance with exactly this ID. O(log n).
  package func view(of id: ObjectID, in context: ContextID) -> InstanceView? {
    guard let instance = contexts[context.index].instances[id] else { return nil }
    return view(of: instance)
  }

  private func view(of instance: Instance) -> InstanceView {
    InstanceView(
      id: instance.id, isFault: instance.isFault, isInserted: instance.isInserted,
      isUpdated: instance.isUpdated,
      isDeleted: instance.isDeleted || instance.isDiscarded && !deletedInsertReportsNotDeleted,
      values: instance.isFault ? [] : instance.values,
      collections: instance.isFault ? [] : instance.collections)
  }

  /// The rows of `store`, sorted by ID.
  package func rows(of store: StoreID) -> [RowView] {
    stores[store.index].rows.map { view(of: $0) }
  }

  /// Nil if there is no such row. O(log n).
  package func row(_ id: ObjectID, of store: StoreID) -> RowView? {
    guard let row = stores[store.index].rows[id] else { return nil }
    return view(of: row)
  }

  private func view(of row: Row) -> RowView {
    RowView(
      id: row.id, version: row.snapshot.version, values: row.snapshot.values,
      collections: row.snapshot.collections)
  }

  /// How many instances are registered.
  package func instanceCount(of context: ContextID) -> Int {
    contexts[context.index].instances.count
  }

  package func rowCount(of store: StoreID) -> Int { stores[store.index].rows.count }

  /// The IDs of all instances that the last action may have changed, registered or let go; may have
  /// one twice. After a kill, which makes all contexts anew, it lacks those that there were.
  package func touched(in context: ContextID) -> [ObjectID] {
    contexts[context.index].instances.touched
  }

  /// The contexts of which something is touched, as bits, of those with the same number modulo 64
  /// together.
  package var touchedContexts: UInt64 {
    var bits: UInt64 = 0
    for index in contexts.indices where !contexts[index].instances.touched.isEmpty {
      bits |= 1 << UInt64(index & 63)
    }
    return bits
  }

  /// Whether the last action may have changed a row of any store.
  package var hasTouchedRows: Bool {
    for index in stores.indices where !stores[index].rows.touched.isEmpty { return true }
    return false
  }

  /// Likewise of the rows of a store.
  package func touchedRows(of store: StoreID) -> [ObjectID] { stores[store.index].rows.touched }

  /// A registered instance.
  subscript(context: ContextID, id: ObjectID) -> Instance {
    _read { yield contexts[context.index].instances[existing: id] }
    _modify { yield &contexts[context.index].instances[existing: id] }
  }

  func shape(of property: Int, of id: ObjectID) -> PropertyShape {
    shapes[id.entity.index].properties[property]
  }
}
