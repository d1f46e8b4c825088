package import Determinism
import Failures
package import Invariants
package import ObjectModel
import ReferenceDispatch
import ReferenceModel
package import SimulatedCoreData
package import SimulatedDispatch
package import Vocabulary

/// Runs steps on the engine and on the reference model side by side. After every action, the
/// reference model predicts the result, and the invariants check what happened.
///
/// This is the only place in which engine, reference model and invariants meet. A run is a value,
/// so a copy made in the middle of a run continues identically. Campaigns, replays, scenarios and
/// explorations differ in the source of steps (`RunDriver`) and in the choice of lanes.
///
/// The extensions: `+Turns` runs lanes, `+Comparison` compares, and `+Judging` collects violations.
/// `+Searching` serves callers that choose each lane, and `+Invariants` checks internal
/// consistency.
package struct DifferentialRun {
  /// The reason that a run ended before its program did.
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
  /// The reference lanes, which predict each turn.
  var lanes: ReferenceLanes
  /// A Boolean value that indicates whether turns are compared with the reference lanes.
  var comparesLanes: Bool
  var invariants: InvariantChecks
  var scheduler: Scheduler
  var forecast = Forecast()
  let comparesWithReference: Bool
  /// A Boolean value that indicates whether a step may look up an object by a temporary ID of
  /// another context.
  private(set) var admitsForeignIDs = true
  /// A Boolean value that indicates whether a step looked up such an ID although it may not.
  var usedForeignID = false
  /// A Boolean value that indicates whether uninterrupted turns of a step are taken together
  /// (`runAlone`).
  var takesTurnsTogether = true
  /// A copy of `invariants.followsTurns`. Reading the original after every turn would copy the
  /// invariants.
  let followsTurns: Bool
  package let driver: LaneID
  var fullComparison: FullComparisonInterval
  /// The lane that ran last.
  var current: LaneID?
  /// The step of the program that is being run.
  var submitted: AddressedStep?
  var allowance = TurnAllowance()
  /// The number of promises that an app's code has made so far.
  var promiseCount = 0
  /// Fingerprint of everything that could be observed, in order.
  package internal(set) var digest = Digest()
  /// The number of steps that were performed and checked. A save counts as one.
  package internal(set) var stepCount = 0
  /// The number of steps that did nothing because an object that they name did not exist.
  package internal(set) var wastedStepCount = 0
  /// The difference between engine and reference model that ended the run.
  package internal(set) var disagreement: Disagreement?
  package internal(set) var violations: [Violation] = []
  /// The longest time the main queue was held, in milliseconds of virtual time.
  package internal(set) var longestMainQueueHold = 0
  /// The total time the main queue was held, in milliseconds of virtual time.
  package internal(set) var mainQueueOccupancy = 0
  /// The abstract states that the run reached. `nil` unless the caller requests them.
  package var stateCoverage: StateCoverage?
  /// The events of each step of the program. `nil` unless the caller requests them.
  package internal(set) var eventLog: EventLog?
  /// Every turn of the run. `nil` unless the caller requests them.
  package internal(set) var recorder: Recorder?
  /// The number of lanes that have taken a turn. Lanes whose indices are equal modulo 64 count
  /// once.
  package var busyLaneCount: Int { busyLanes.nonzeroBitCount }
  var busyLanes: UInt64 = 0
  /// The number of times a lane ran while the previous lane could have continued. The program's
  /// thread does not count as a previous lane.
  package internal(set) var preemptionCount = 0
  /// The reason that the run ended early, or `nil`. The property is stored, because deriving it
  /// from the world before every turn would copy the run (a fifth of a run's cost).
  package internal(set) var ending: Ending?
  var isFinished = false

  package init(
    model: ObjectModel, _ tables: RunTables? = nil, stack: Stack, quirks: QuirkSet,
    bugs: PlantedBugSet = PlantedBugSet(), policy: SchedulingPolicy = .inOrder,
    comparesWithReference: Bool = true,
    fullComparisonInterval: Int? = nil, checkLevel: CheckLevel = .soundness
  ) {
    var storage = RunStorage()
    self.init(
      model: model, tables, stack: stack, quirks: quirks, bugs: bugs, policy: policy,
      comparesWithReference: comparesWithReference,
      fullComparisonInterval: fullComparisonInterval, checkLevel: checkLevel, judged: nil,
      in: &storage)
  }

  private init(
    model: ObjectModel, _ tables: RunTables?, stack: Stack, quirks: QuirkSet,
    bugs: PlantedBugSet, policy: SchedulingPolicy, comparesWithReference: Bool,
    fullComparisonInterval: Int?, checkLevel: CheckLevel, judged: [Invariant]?,
    in storage: inout RunStorage
  ) {
    world = World(
      model: model, tables?.engine, stack: stack, quirks: quirks, bugs: bugs, in: &storage.world)
    world.notesWrites = checkLevel.proves
    reference = ReferenceStack(
      model: model, tables?.reference, stack: stack, quirks: quirks, in: &storage.reference)
    lanes = ReferenceLanes(stack)
    comparesLanes = comparesWithReference
    invariants = InvariantChecks(world, checkLevel, judging: judged)
    followsTurns = invariants.followsTurns
    scheduler = Scheduler(policy)
    driver = world.driver
    fullComparison = FullComparisonInterval(fullComparisonInterval)
    self.comparesWithReference = comparesWithReference
  }

  /// Creates a run of steps that are generated for `stack`.
  package init(_ configuration: RunConfiguration, on stack: Stack, _ policy: SchedulingPolicy) {
    var storage = RunStorage()
    self.init(configuration, on: stack, policy, in: &storage)
  }

  /// Creates a run of generated steps in the memory of an earlier run.
  init(
    _ configuration: RunConfiguration, on stack: Stack, _ policy: SchedulingPolicy,
    in storage: inout RunStorage
  ) {
    self.init(
      model: configuration.model, configuration.tables, stack: stack,
      quirks: configuration.quirks,
      bugs: configuration.bugs, policy: policy,
      comparesWithReference: configuration.comparesWithReference,
      fullComparisonInterval: configuration.fullComparisonInterval,
      checkLevel: configuration.checkLevel, judged: configuration.judged, in: &storage)
    takesTurnsTogether = configuration.takesTurnsTogether
    admitsForeignIDs = configuration.admitsForeignIDs
  }

  /// Creates a run of a given program.
  package init(_ configuration: RunConfiguration, _ program: Program) {
    var configuration = configuration
    // Setting the model drops the tables that are derived from it.
    if configuration.model != program.model { configuration.model = program.model }
    self.init(configuration, on: program.stack, program.isInterleaved ? .random : .inOrder)
  }

  /// A Boolean value that indicates whether the run ended before its program did.
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

  /// Submits a step to the program's thread, which must be idle.
  package mutating func submit(_ step: AddressedStep) {
    noteSubmission(of: step)
    world.submit(step)
    if comparesLanes { lanes.submit(step) }
  }

  /// Prepares the run for a step of the program.
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

  /// Runs the lanes until none can if the program's thread goes last (`inOrder`), otherwise until
  /// that thread can take the next step.
  mutating func letLanesRun(
    _ choices: inout Choices, observing observe: (Action, [Event]) -> Void
  ) {
    while !isOver {
      if !scheduler.isInOrder, world.dispatcher.frameCount(of: driver) == 0 { return }
      guard takeTurn(&choices, observe) else { return }
    }
  }

  /// Sets the maximum number of steps to come, which strategies use as a weight.
  package mutating func expect(stepsToCome: Int) {
    precondition(stepsToCome >= 0, "\(stepsToCome) steps are to come")
    forecast.stepsToCome = stepsToCome
  }

  /// Runs everything that is still enqueued, and checks the final state.
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

  /// Records every turn from here on.
  mutating func beginRecording() {
    precondition(submitted == nil, "a recording begins in the middle of a run")
    world.notesWrites = true
    recorder = Recorder(world)
  }

  /// Discards the record of the turns.
  mutating func endRecording() { recorder = nil }

  /// Logs the events of each step from here on, and keeps the world after each of `steps`.
  mutating func beginLogging(keepingWorldsAfter steps: [Int]) {
    precondition(submitted == nil, "a log begins in the middle of a run")
    eventLog = EventLog(keepingWorldsAfter: steps)
  }
}
