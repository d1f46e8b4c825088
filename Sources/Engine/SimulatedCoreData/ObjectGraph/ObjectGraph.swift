import Determinism
package import ObjectModel
package import Vocabulary

/// Contexts, coordinators and stores, as one value: everything except queues and time.
///
/// `perform` completes one action, and `result` is its outcome. `reach(of:)` returns the levels
/// above the context that an action needs. The graph has no queues, because lanes decide when an
/// action may run. `Sources/SEMANTICS.md` specifies each action, and the extensions follow it.
package struct ObjectGraph: Hashable {
  var setting: Setting
  /// Unused. Its presence makes the compiler pass graphs by address.
  private let inPlace = HeldInPlace()
  package var model: ObjectModel { _read { yield setting.model } }
  package var stack: Stack { _read { yield setting.stack } }
  /// The properties of each entity, indexed by entity, then property.
  var shapes: [[PropertyShape]] { _read { yield setting.shapes } }
  /// The to-many relationships of each entity.
  var collectionSets: [PropertySet] { _read { yield setting.collectionSets } }
  var hasRelationships: [Bool] { _read { yield setting.hasRelationships } }
  /// Boolean values that indicate whether a to-many relationship can contain objects of an entity,
  /// indexed by entity.
  var isCollected: [Bool] { _read { yield setting.isCollected } }
  var valueOrder: ValueOrder { _read { yield setting.valueOrder } }
  var constraints: [UniquenessConstraint] { _read { yield setting.constraints } }

  package var quirks: QuirkSet { setting.quirks }
  package var bugs: PlantedBugSet { setting.bugs }

  var stores: [RowTable]
  /// The number that represents the stored metadata of each store, indexed by store.
  package internal(set) var metadata: [Int]
  /// The number of the next write that each store refuses, from 1, indexed by store.
  var refusals: [Int?]
  var coordinators: [PersistentStoreCoordinator]
  var contexts: [ManagedObjectContext]
  var controllers: [ResultsController]
  /// The remembered IDs without duplicates, indexed by ID set.
  var idSets: [[ObjectID]]

  /// The inserted objects, indexed by the serial number of their temporary IDs, from 1.
  var identities: [Identity] = []
  /// The original temporary ID of each row's object, indexed by store, then key, from 1.
  var temporaryIDs: [[ObjectID?]]

  /// DidSave notifications and batch results by number, each with its context.
  var didSaves: [DidSave] = []
  /// The number that the next `setNext` of a hook takes.
  var nextHookNumber = 1

  /// The outcome of the running or the last action.
  package internal(set) var result = ActionResult()
  /// The rare branches that this graph has reached.
  package internal(set) var marks = MarkSet()
  /// A Boolean value that indicates whether `result.evidence` records the writes of saves. Only
  /// checks of a whole run need this record.
  var notesWrites = false
  /// A Boolean value that indicates whether the program holds the objects found by its fetches
  /// under their names. Code holds instances itself.
  var holdsResults = true
  /// The overrides of an app's classes, or `nil` unless code drives the graph.
  var code: CodeHooks?

  /// An inserted object.
  struct Identity: Hashable {
    let origin: ContextID
    let name: ObjectName?
    /// The ID of the object's row, once the row has an ID.
    var permanent: ObjectID?
    /// The store to which the program has assigned the object.
    var assignedStore: StoreID?
  }

  struct DidSave: Hashable {
    var context: ContextID
    var sets: ChangeSets
    var isBatch = false
  }

  /// - Parameter tables: The precomputed tables of `model`, or `nil` to compute them.
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

  /// Creates a graph without contexts that replaces another graph while that one is lent.
  init(inPlaceOf other: ObjectGraph) {
    setting = other.setting
    (stores, metadata, refusals, temporaryIDs) = ([], [], [], [])
    (coordinators, contexts, controllers, idSets) = ([], [], [], [])
  }
}

/// The failure that ends a step.
struct StepFailure: Error {
  let failure: Failure
}
