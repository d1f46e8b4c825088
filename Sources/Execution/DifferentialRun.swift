package import Determinism
package import Invariants
package import ObjectModel
import ReferenceDispatch
import ReferenceModel
package import SimulatedCoreData
package import SimulatedDispatch
package import Vocabulary

/// Runs steps on the engine and on the reference model side by side, and checks both: after every
/// action the reference model predicts what must have happened, and the invariants judge what did.
///
/// A value: copy it in the middle, and both copies go on alike. The only place in which engine,
/// reference model and invariants meet. Campaigns, replays, scenarios and exploration differ in
/// where the next step comes from (`RunDriver`), and in what chooses the next lane. The extensions:
/// `+Turns` runs lanes, `+Comparison` compares, `+Judging` collects violations, `+Searching` is for
/// callers that choose each lane themselves, and `+Invariants` says what always holds.
package struct DifferentialRun {
  /// Why a run is over before its program is.
  package enum Ending: Hashable {
    /// Engine and reference model differ.
    case disagreement
    /// Lanes wait for each other.
    case deadlock
    /// The program's thread waits for a suspended queue, and no lane is left that can resume it.
    case suspension
    /// A step set off more turns than it may (`EveryStepTerminates`).
    case endlessReaction
  }

  package internal(set) var world: World
  var reference: ReferenceStack
  /// What each lane has to do next.
  var lanes: ReferenceLanes
  /// Whether that is compared.
  var comparesLanes: Bool
  var invariants: InvariantChecks
  var scheduler: Scheduler
  var forecast = Forecast()
  let comparesWithReference: Bool
  /// A Boolean value that indicates whether a step may look up an object by a temporary ID of
  /// another context.
  private(set) var admitsForeignIDs = true
  /// A Boolean value that indicates whether a step did that although it may not.
  var usedForeignID = false
  /// Whether steps that nothing can come between are taken at once (`runAlone`).
  var takesTurnsTogether = true
  /// As `invariants` says it: asked after every turn, it would copy them each time.
  let followsTurns: Bool
  package let driver: LaneID
  var fullComparison: FullComparisonInterval
  /// The lane that ran last.
  var current: LaneID?
  /// The step of the program that is being run.
  var submitted: AddressedStep?
  var allowance = TurnAllowance()
  /// Fingerprint of everything that could be observed, in order.
  package internal(set) var digest = Digest()
  /// Steps that were performed and checked; a save is one.
  package internal(set) var stepCount = 0
  /// Steps that did nothing because what they name was not there.
  package internal(set) var wastedStepCount = 0
  /// Where engine and reference model differ; the run ends there.
  package internal(set) var disagreement: Disagreement?
  package internal(set) var violations: [Violation] = []
  /// The longest time the main queue was held, in milliseconds of virtual time.
  package internal(set) var longestMainQueueHold = 0
  /// The time for which the main queue was held in all, likewise.
  package internal(set) var mainQueueOccupancy = 0
  /// The abstract states that the run came to; nil unless the caller asks for them.
  package var stateCoverage: StateCoverage?
  /// The events by step of the program, likewise.
  package internal(set) var eventLog: EventLog?
  /// Every turn of the run, likewise.
  package internal(set) var recorder: Recorder?
  /// How many lanes have taken a turn; lanes share a bit with the one 64 before them.
  package var busyLaneCount: Int { busyLanes.nonzeroBitCount }
  var busyLanes: UInt64 = 0
  /// How often a lane ran while the one before it, the program's thread apart, could have gone on.
  package internal(set) var preemptionCount = 0
  /// Noted where it comes about: it is asked before every turn, and a question to the world would
  /// copy the run each time (a fifth of a run's cost).
  package internal(set) var ending: Ending?
  var isFinished = false

  package init(
    model: ObjectModel, _ tables: RunTables? = nil, stack: Stack, quirks: QuirkSet,
    bugs: PlantedBugSet = PlantedBugSet(), policy: SchedulingPolicy = .inOrder,
    comparesWithReference: Bool = true,
    fullComparisonInterval: Int? = nil, checkLevel: CheckLevel = .soundness
  ) {
    var room = RunRoom()
    self.init(
      model: model, tables, stack: stack, quirks: quirks, bugs: bugs, policy: policy,
      comparesWithReference: comparesWithReference,
      fullComparisonInterval: fullComparisonInterval, checkLevel: checkLevel, in: &room)
  }

  private init(
    model: ObjectModel, _ tables: RunTables?, stack: Stack, quirks: QuirkSet,
    bugs: PlantedBugSet, policy: SchedulingPolicy, comparesWithReference: Bool,
    fullComparisonInterval: Int?, checkLevel: CheckLevel, in room: inout RunRoom
  ) {
    world = World(
      model: model, tables?.engine, stack: stack, quirks: quirks, bugs: bugs, in: &room.world)
    world.notesWrites = checkLevel.proves
    reference = ReferenceStack(
      model: model, tables?.reference, stack: stack, quirks: quirks, in: &room.reference)
    lanes = ReferenceLanes(stack)
    comparesLanes = comparesWithReference
    invariants = InvariantChecks(world, checkLevel)
    followsTurns = invariants.followsTurns
    scheduler = Scheduler(policy)
    driver = world.driver
    fullComparison = FullComparisonInterval(fullComparisonInterval)
    self.comparesWithReference = comparesWithReference
  }

  /// A run of steps that are generated for `stack`.
  package init(_ configuration: RunConfiguration, on stack: Stack, _ policy: SchedulingPolicy) {
    var room = RunRoom()
    self.init(configuration, on: stack, policy, in: &room)
  }

  /// Likewise, in the room of a run before it.
  init(
    _ configuration: RunConfiguration, on stack: Stack, _ policy: SchedulingPolicy,
    in room: inout RunRoom
  ) {
    self.init(
      model: configuration.model, configuration.tables, stack: stack,
      quirks: configuration.quirks,
      bugs: configuration.bugs, policy: policy,
      comparesWithReference: configuration.comparesWithReference,
      fullComparisonInterval: configuration.fullComparisonInterval,
      checkLevel: configuration.checkLevel, in: &room)
    takesTurnsTogether = configuration.takesTurnsTogether
    admitsForeignIDs = configuration.admitsForeignIDs
  }

  /// A run of a given program.
  package init(_ configuration: RunConfiguration, _ program: Program) {
    var configuration = configuration
    // Setting the model drops the tables that are derived from it.
    if configuration.model != program.model { configuration.model = program.model }
    self.init(configuration, on: program.stack, program.isInterleaved ? .random : .inOrder)
  }

  /// Whether the run is over before its program is.
  package var isOver: Bool { ending != nil }

  // MARK: Steps

  /// Submits a step and lets the lanes run until the next one can be submitted.
  package mutating func run(
    _ step: AddressedStep, _ choices: inout Choices,
    observing observe: (Action, [Event]) -> Void = { _, _ in }
  ) {
    if !runAlone(step, choices, observing: observe) { submit(step) }
    letLanesRun(&choices, observing: observe)
  }

  /// Hands a step to the program's thread, which must be idle.
  package mutating func submit(_ step: AddressedStep) {
    noteSubmission(of: step)
    world.submit(step)
    if comparesLanes { lanes.submit(step) }
  }

  /// A step of the program begins.
  mutating func noteSubmission(of step: AddressedStep) {
    precondition(!isFinished, "a step is submitted to a run that is finished")
    precondition(ending == nil, "a step is submitted to a run that is over")
    precondition(world.isDriverIdle, "a step is submitted while the one before it is running")
    stateCoverage?.beginStep()
    submitted = step
    forecast.noteStep()
    eventLog?.beginStep(stepCount: stepCount, in: world)
    recorder?.noteSubmission(step)
    allowTurns(for: step)
  }

  /// Lets the lanes run until none can if the program's thread goes last (`inOrder`), else until
  /// that thread can take the next step.
  mutating func letLanesRun(
    _ choices: inout Choices, observing observe: (Action, [Event]) -> Void
  ) {
    while !isOver {
      if !scheduler.isInOrder, world.dispatcher.frameCount(of: driver) == 0 { return }
      guard takeTurn(&choices, observe) else { return }
    }
  }

  /// Says that the program has at most so many steps to come: strategies weigh them.
  package mutating func expect(stepsToCome: Int) {
    precondition(stepsToCome >= 0, "\(stepsToCome) steps are to come")
    forecast.stepsToCome = stepsToCome
  }

  /// Lets everything that is still enqueued run, and checks what must hold in the end.
  package mutating func finish(
    _ choices: inout Choices, observing observe: (Action, [Event]) -> Void = { _, _ in }
  ) {
    precondition(!isFinished, "a run is finished twice")
    if !isOver { allowTurnsOfEnd() }
    while !isOver, takeTurn(&choices, observe) {}
    if !isOver { noteWaitInVain() }
    if comparesWithReference { compareAtEnd() }
    record(invariants.atEnd(of: world), isAtEnd: true)
    digest.feed(violations.count)
    isFinished = true
    checkInvariants()
  }

  // MARK: Notes

  /// From here on every turn is recorded.
  mutating func beginRecording() {
    precondition(submitted == nil, "a recording begins in the middle of a run")
    world.notesWrites = true
    recorder = Recorder(world)
  }

  /// From here on the events of each step are kept, and the world after each of `steps`.
  mutating func beginLogging(keepingWorldsAfter steps: [Int]) {
    precondition(submitted == nil, "a log begins in the middle of a run")
    eventLog = EventLog(keepingWorldsAfter: steps)
  }
}
