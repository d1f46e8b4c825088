package import ObjectModel
package import SimulatedDispatch
package import Vocabulary

/// A Core Data stack, its queues and its clock, as one value: the object graph, and lanes that
/// perform actions on it.
///
/// Copy it in the middle of a save, run both copies, and they do the same. Nothing in here knows
/// of chance: the caller decides which lane runs next, everything else follows.
///
/// `+Lanes` turns steps into frames on lanes, with `+Queues`, `+StartingSteps`, `+LettingGo`,
/// `+Groups`, `+Suspending`, `+Trying` and `+Delivering`. `+Killing` ends the app. `+Reporting` and
/// `+Outlook` are for reports and strategies.
package struct World: Hashable {
  package internal(set) var graph: ObjectGraph
  /// Indexed by flag of the app: whether it is raised. No queue protects a flag.
  var flags: [Bool]
  /// The lanes whose latest fetch or count has found an object, in order. §note-answer
  var lanesThatFound: [LaneID] = []
  /// A Boolean value that indicates whether the answers of requests are noted. A search turns it
  /// off where no step asks for them, so that states differ in nothing that decides nothing.
  package var notesAnswers = true
  package var dispatcher = Dispatcher<Frame>()
  var queues = Queues()

  /// The queues on which the last turn of a lane put a block, if `notesWrites`.
  package internal(set) var enqueuedOn: [QueueID] = []
  /// The step that the last turn of a lane began, if `notesWrites`.
  package internal(set) var begunStep: AddressedStep?
  /// The contexts whose saves a kill has kept from being done, if `notesWrites`; empty again when
  /// the next step begins.
  package internal(set) var savesCutShort: [ContextID] = []
  /// The calls of entry points that programs have begun, in order, if `notesWrites`.
  package internal(set) var calls: [Call] = []

  package var model: ObjectModel { _read { yield graph.setting.model } }
  package var stack: Stack { _read { yield graph.setting.stack } }
  var bugs: PlantedBugSet { graph.bugs }

  /// - Parameter tables: What follows from `model`, made before; nil to make it.
  package init(
    model: ObjectModel, _ tables: ModelTables? = nil, stack: Stack, quirks: QuirkSet,
    bugs: PlantedBugSet
  ) {
    var room = WorldRoom()
    self.init(model: model, tables, stack: stack, quirks: quirks, bugs: bugs, in: &room)
  }

  /// Makes a world in the memory of a world that has come to its end.
  package init(
    model: ObjectModel, _ tables: ModelTables?, stack: Stack, quirks: QuirkSet,
    bugs: PlantedBugSet, in room: inout WorldRoom
  ) {
    graph = ObjectGraph(model: model, tables, stack: stack, quirks: quirks, bugs: bugs)
    flags = stack.flags.map { _ in false }
    makeQueues()
    room.give(to: &graph)
    if graph.identities.capacity == 0 { graph.identities.reserveCapacity(16) }
    assert(queues.ofContexts.count == graph.contexts.count, "a context has no queue")
  }

  /// A world without lanes, that stands in for another one while that is lent.
  init(inPlaceOf graph: ObjectGraph) {
    self.graph = ObjectGraph(inPlaceOf: graph)
    flags = []
  }

  // MARK: Settings

  /// A Boolean value that indicates whether the evidence of actions records the writes of saves:
  /// only checks of a whole run need them.
  package var notesWrites: Bool {
    get { graph.notesWrites }
    set { graph.notesWrites = newValue }
  }

  /// A Boolean value that indicates whether the program holds the objects that its fetches find
  /// under their names. Code holds instances itself.
  package var holdsResults: Bool {
    get { graph.holdsResults }
    set { graph.holdsResults = newValue }
  }

  /// The overrides of an app's classes; nil unless code drives the world.
  package var code: CodeHooks? {
    get { graph.code }
    set { graph.code = newValue }
  }

  package mutating func forgetTouched() { graph.forgetTouched() }
}
