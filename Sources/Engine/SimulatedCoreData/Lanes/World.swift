package import ObjectModel
package import SimulatedDispatch
package import Vocabulary

/// A Core Data stack, its queues and its clock, as one value: an object graph, and lanes that
/// perform actions on the graph.
///
/// A copy made in the middle of a save behaves exactly as the original does. The world makes no
/// random choices. The caller chooses the lane that runs next, which determines everything else.
///
/// `+Lanes` turns steps into frames on lanes, with `+Queues`, `+StartingSteps`,
/// `+ReleasingContexts`, `+Groups`, `+Suspending`, `+Trying` and `+Delivering`. `+Killing` ends the
/// app. `+Reporting` and `+Outlook` are for reports and strategies.
package struct World: Hashable {
  package internal(set) var graph: ObjectGraph
  /// The states of the flags, indexed by flag. No queue protects a flag.
  var flags: [Bool]
  /// The lanes whose latest fetch or count has found an object, in order. §note-answer
  var lanesThatFound: [LaneID] = []
  /// A Boolean value that indicates whether the world records the answers of requests. A search
  /// turns it off if no step tests an answer, so that equivalent states are equal.
  package var notesAnswers = true
  package var dispatcher = Dispatcher<Frame>()
  var queues = Queues()

  /// The queues on which the last turn of a lane enqueued a block, if `notesWrites` is set.
  package internal(set) var enqueuedOn: [QueueID] = []
  /// The step that the last turn of a lane began, if `notesWrites` is set.
  package internal(set) var begunStep: AddressedStep?
  /// The contexts whose saves a kill has interrupted or prevented, if `notesWrites` is set. The
  /// list is emptied when the next step begins.
  package internal(set) var savesCutShort: [ContextID] = []
  /// The entry-point calls that programs have begun, in order, if `notesWrites` is set.
  package internal(set) var calls: [Call] = []

  package var model: ObjectModel { _read { yield graph.setting.model } }
  package var stack: Stack { _read { yield graph.setting.stack } }
  var bugs: PlantedBugSet { graph.bugs }

  /// - Parameter tables: The precomputed tables of `model`, or `nil` to compute them.
  package init(
    model: ObjectModel, _ tables: ModelTables? = nil, stack: Stack, quirks: QuirkSet,
    bugs: PlantedBugSet
  ) {
    var storage = WorldStorage()
    self.init(model: model, tables, stack: stack, quirks: quirks, bugs: bugs, in: &storage)
  }

  /// Creates a world in the memory of a finished world.
  package init(
    model: ObjectModel, _ tables: ModelTables?, stack: Stack, quirks: QuirkSet,
    bugs: PlantedBugSet, in storage: inout WorldStorage
  ) {
    graph = ObjectGraph(model: model, tables, stack: stack, quirks: quirks, bugs: bugs)
    flags = stack.flags.map { _ in false }
    makeQueues()
    storage.give(to: &graph)
    if graph.identities.capacity == 0 { graph.identities.reserveCapacity(16) }
    assert(queues.ofContexts.count == graph.contexts.count, "a context has no queue")
  }

  /// Creates a world without lanes that replaces another world while that one is lent.
  init(inPlaceOf graph: ObjectGraph) {
    self.graph = ObjectGraph(inPlaceOf: graph)
    flags = []
  }

  // MARK: Settings

  /// A Boolean value that indicates whether evidence records the writes of saves. Only checks of a
  /// whole run need this record.
  package var notesWrites: Bool {
    get { graph.notesWrites }
    set { graph.notesWrites = newValue }
  }

  /// A Boolean value that indicates whether the program holds the objects found by its fetches
  /// under their names. Code holds instances itself.
  package var holdsResults: Bool {
    get { graph.holdsResults }
    set { graph.holdsResults = newValue }
  }

  /// The overrides of an app's classes, or `nil` unless code drives the world.
  package var code: CodeHooks? {
    get { graph.code }
    set { graph.code = newValue }
  }

  package mutating func forgetTouched() { graph.forgetTouched() }
}
