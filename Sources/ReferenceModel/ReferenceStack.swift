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
  let model: ObjectModel
  let stack: Stack
  let shapes: [EntityShape]
  let order: ValueOrder
  let uniquenessConstraints: [UniquenessConstraint]

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

  /// Of the action that runs.
  var events: [Event] = []
  /// Whether anything may have become collectable by this action.
  var needsCollection = false

  package init(model: ObjectModel, stack: Stack, quirks: QuirkSet) {
    self.model = model
    self.stack = stack
    shapes = model.entities.map { EntityShape($0, in: model) }
    order = ValueOrder(symbols: model.symbols)
    uniquenessConstraints = UniquenessConstraint.all(of: model)
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
    contexts = stack.contextIDs.map { Context($0, in: stack) }
    stores = stack.stores.map { _ in Store() }
    coordinators = ReferenceStack.coordinators(of: stack)
    rowCaches = stack.coordinators.map { _ in IDTable() }
    lists = stack.controllers.map { _ in ResultsList() }
  }

  /// Predicts all events of one action, in order, and moves on.
  package mutating func perform(_ action: Action) -> [Event] {
    events = []
    needsCollection = false
    switch action {
    case .step(let addressed, let phase):
      run(addressed.step, phase, in: addressed.context)
    case .merge(let context, let number):
      let merge = AwaitedMerge(context: context, number: number)
      if let index = awaitedMerges.firstIndex(of: merge) { awaitedMerges.remove(at: index) }
      self.merge(number, into: context)
    case .mergeRemote(let context, let number):
      needsCollection = true
      mergeRemote(number, into: context)
    case .wrongQueue(let context):
      events.append(.failed(.wrongQueue(context)))
    case .endOfEvent(let context):
      needsCollection = true
      processPendingChanges(in: context)
    }
    if needsCollection { collect() }
    return events
  }

  /// What a program could see of `context`: registered instances, sorted by ID.
  package func view(of context: ContextID) -> [InstanceView] {
    contexts[context.index].instances.elements.map { instance in
      InstanceView(
        id: instance.id, isFault: instance.isFault, isInserted: instance.isInserted,
        isUpdated: instance.isUpdated,
        isDeleted: instance.isDeleted || instance.isDiscarded && !deletedInsertReportsNotDeleted,
        values: instance.isFault ? [] : instance.values,
        collections: instance.isFault ? [] : instance.collections)
    }
  }

  /// The rows of `store`, sorted by ID.
  package func rows(of store: StoreID) -> [RowView] {
    stores[store.index].rows.elements.map { row in
      RowView(
        id: row.id, version: row.snapshot.version, values: row.snapshot.values,
        collections: row.snapshot.collections)
    }
  }

  /// A registered instance.
  subscript(context: ContextID, id: ObjectID) -> Instance {
    _read { yield contexts[context.index].instances[existing: id] }
    _modify { yield &contexts[context.index].instances[existing: id] }
  }

  func shape(of property: Int, of id: ObjectID) -> PropertyShape {
    shapes[id.entity.index].properties[property]
  }
}
