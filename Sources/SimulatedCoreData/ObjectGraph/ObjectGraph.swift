import Determinism
package import ObjectModel
package import Vocabulary

/// Contexts, coordinators and stores, as one value: everything but queues and time.
///
/// `perform` runs one action from beginning to end, and `result` is its outcome. `reach(of:)` says
/// which levels above its context an action needs. The graph knows of no queue: lanes decide when
/// an action may run. `Sources/SEMANTICS.md` lays down each action; the extensions follow it.
package struct ObjectGraph: Hashable {
  var setting: Setting
  /// Unused. Its presence makes the compiler pass graphs by address.
  private let inPlace = HeldInPlace()
  package var model: ObjectModel { _read { yield setting.model } }
  package var stack: Stack { _read { yield setting.stack } }
  /// Indexed by entity, then property.
  var shapes: [[PropertyShape]] { _read { yield setting.shapes } }
  /// The to-many relationships of each entity.
  var collectionSets: [PropertySet] { _read { yield setting.collectionSets } }
  var hasRelationships: [Bool] { _read { yield setting.hasRelationships } }
  /// Indexed by entity: whether a to-many relationship can lead to its objects.
  var isCollected: [Bool] { _read { yield setting.isCollected } }
  var valueOrder: ValueOrder { _read { yield setting.valueOrder } }
  var constraints: [UniquenessConstraint] { _read { yield setting.constraints } }

  package var quirks: QuirkSet { setting.quirks }
  package var bugs: PlantedBugSet { setting.bugs }

  var stores: [RowTable]
  /// Indexed by store.
  package internal(set) var metadata: [Int]
  /// Indexed by store: the number of the next write that the store refuses, from 1.
  var refusals: [Int?]
  var coordinators: [PersistentStoreCoordinator]
  var contexts: [ManagedObjectContext]
  var controllers: [ResultsController]
  /// Indexed by ID set of the app: the IDs as they were remembered, each once.
  var idSets: [[ObjectID]]

  /// Indexed by serial of a temporary ID, from 1.
  var identities: [Identity] = []
  /// Indexed by store and key, from 1: the temporary ID that the row's object once had.
  var temporaryIDs: [[ObjectID?]]

  /// DidSave notifications and batch results by number, each with its context.
  var didSaves: [DidSave] = []
  /// The number that the next `setNext` of a hook takes.
  var nextHookNumber = 1

  /// The outcome of the running action, or of the last one.
  package internal(set) var result = ActionResult()
  /// The rare branches that this graph has been through.
  package internal(set) var marks = MarkSet()
  /// A Boolean value that indicates whether `result.evidence` records the writes of saves: only
  /// checks of a whole run need them.
  var notesWrites = false
  /// A Boolean value that indicates whether the program holds the objects that its fetches find
  /// under their names. Code holds instances itself.
  var holdsResults = true
  /// The overrides of an app's classes; nil unless code drives the graph.
  var code: CodeHooks?

  /// An inserted object.
  struct Identity: Hashable {
    let origin: ContextID
    let name: ObjectName?
    /// The ID of its row, once it has one.
    var permanent: ObjectID?
    /// The store that the program has assigned the object to.
    var assignedStore: StoreID?
  }

  struct DidSave: Hashable {
    var context: ContextID
    var sets: ChangeSets
    var isBatch = false
  }

  /// - Parameter tables: What follows from `model`, made before; nil to make it.
  init(
    model: ObjectModel, _ tables: ModelTables?, stack: Stack, quirks: QuirkSet, bugs: PlantedBugSet
  ) {
    setting =
      tables.map { Setting($0.setting, stack, model, quirks, bugs) }
      ?? Setting(model, stack, quirks, bugs)
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
    idSets = stack.idSets.map { _ in [] }
  }

  /// A graph without contexts, that stands in for another one while that is lent.
  init(inPlaceOf other: ObjectGraph) {
    setting = other.setting
    (stores, metadata, refusals, temporaryIDs) = ([], [], [], [])
    (coordinators, contexts, controllers, idSets) = ([], [], [], [])
  }
}

/// A step ends here, with a failure.
struct StepFailure: Error {
  let failure: Failure
}
