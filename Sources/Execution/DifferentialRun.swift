package import Failures
package import Determinism
package import Invariants
package import ObjectModel
import ReferenceModel
package import SimulatedCoreData
package import SimulatedDispatch
package import Vocabulary

/// A world under observation: after every action the reference is asked what should have happened,
/// and the invariants what must not. A value: copy it in the middle, and both go on alike.
///
/// The one place in which engine, reference and invariants meet. Campaigns, replays and scenarios
/// all run through it and differ only in where the next step comes from.
package struct DifferentialRun {
  package private(set) var world: World
  private var reference: ReferenceStack
  private var invariants: InvariantChecks
  private var scheduler: Scheduler
  private var forecast = Forecast()
  private let comparesWithReference: Bool
  private let driver: LaneID
  /// After each action what it can have changed is compared, and once in so many actions
  /// everything, in case that something changes without a trace; the more there is, the less often.
  private var fullComparisonInterval = 64
  private var actionsSinceFullComparison = 0
  /// After how many to see whether there is so little that all of it may be compared.
  private var actionsUntilCounting = 64
  private var current: LaneID?
  /// The step of the program that is being run.
  private var submitted: AddressedStep?
  /// Turns that lanes may still take for the present step, and how many they have taken: observers
  /// that set each other off would go on for ever.
  private var turnsLeft = DifferentialRun.turnLimit
  private var turnsTaken = 0
  /// For what a step sets off at once, and for every block that stands in line by then.
  private static let turnLimit = 2_000
  private static let turnsOfABlock = 200
  /// A turn in which very much happens counts for several: so many events are one.
  private static let eventsOfATurn = 100

  /// Fingerprint of everything that could be observed, in order.
  package private(set) var digest = Digest()
  /// Steps that were performed and checked; a save is one.
  package private(set) var stepCount = 0
  /// Steps that came to nothing because what they name was not there.
  package private(set) var wastedStepCount = 0
  /// Where engine and reference parted; the run ends there.
  package private(set) var disagreement: Disagreement? {
    didSet { hasEnded = true }
  }
  package private(set) var violations: [Violation] = []
  /// The longest that anybody had the main queue, in milliseconds of virtual time.
  package private(set) var longestMainQueueHold = 0
  /// Where the run has been; nil unless somebody asks.
  package var stateCoverage: StateCoverage?
  /// Every turn of the run; nil unless somebody asks.
  package private(set) var recorder: Recorder?
  /// How many lanes have done anything; those beyond the 64th count as others.
  package var busyLaneCount: Int { busyLanes.nonzeroBitCount }
  private var busyLanes: UInt64 = 0
  /// There is a disagreement or a deadlock, or the program's thread waits for a queue that nobody
  /// is left to resume. Noted where it comes about: it is asked before every turn, and a question
  /// to the world would copy the session each time (a fifth of a run).
  private var hasEnded = false
  /// How often a lane went while the one before it, the program's thread apart, could have gone on.
  package private(set) var preemptionCount = 0
  /// For how much of the run somebody had it, in milliseconds of virtual time.
  package private(set) var mainQueueOccupancy = 0

  package init(
    model: ObjectModel, stack: Stack, quirks: QuirkSet, bugs: PlantedBugSet = PlantedBugSet(),
    policy: SchedulingPolicy = .inOrder, comparesWithReference: Bool = true,
    scrutiny: CheckLevel = .soundness
  ) {
    world = World(model: model, stack: stack, quirks: quirks, bugs: bugs)
    world.notesWrites = scrutiny != .soundness
    reference = ReferenceStack(model: model, stack: stack, quirks: quirks)
    invariants = InvariantChecks(world, scrutiny)
    scheduler = Scheduler(policy)
    driver = world.driver
    self.comparesWithReference = comparesWithReference
  }

  /// Whether the run is over before its program is: the reference disagreed, or nothing can go on.
  package var isOver: Bool { turnsLeft == 0 ? true : hasEnded }

  /// Submits a step and lets the lanes run: to rest if the driver goes last (`inOrder`), else until
  /// the driver can take the next step.
  package mutating func run(
    _ step: AddressedStep, _ choices: inout Choices,
    observing observe: (Action, [Event]) -> Void = { _, _ in }
  ) {
    stateCoverage?.beginStep()
    submit(step)
    while !isOver {
      if !scheduler.isInOrder, world.dispatcher.frameCount(of: driver) == 0 { return }
      guard takeTurn(&choices, observe) else { return }
    }
  }

  /// Hands a step to the driver, which must be idle.
  package mutating func submit(_ step: AddressedStep) {
    submitted = step
    forecast.noteStep()
    recorder?.noteSubmission(step)
    world.submit(step)
    allowMoreTurns(for: step.innerStepCount)
  }

  /// Says that the program has at the most so many steps yet: strategies weigh them.
  package mutating func expect(stepsToCome: Int) { forecast.stepsToCome = stepsToCome }

  /// A step is submitted, or the last one was: lanes may go on for longer.
  package mutating func allowMoreTurns(for innerStepCount: Int = 0) {
    turnsLeft =
      DifferentialRun.turnLimit
      + DifferentialRun.turnsOfABlock * (world.unfinishedBlockCount + innerStepCount)
    turnsTaken = 0
  }

  /// Lets everything that is still enqueued run, and checks what must hold in the end.
  package mutating func finish(
    _ choices: inout Choices, observing observe: (Action, [Event]) -> Void = { _, _ in }
  ) {
    if !isOver { allowMoreTurns() }
    while !isOver, takeTurn(&choices, observe) {}
    if comparesWithReference, turnsLeft > 0, disagreement == nil, world.dispatcher.deadlocks.isEmpty
    {
      if !world.waitsForResume, let expected = reference.awaitedMerges.first {
        disagreement = Disagreement(
          action: nil, stepNumber: stepCount, kind: .missingMerge(expected.context, expected.number)
        )
      }
      compareEverything(after: nil)
    }
    record(invariants.atEnd(of: world), isAtEnd: true)
    digest.feed(violations.count)
  }

  /// One turn of one lane; false if nothing can ever happen any more.
  private mutating func takeTurn(
    _ choices: inout Choices, _ observe: (Action, [Event]) -> Void
  ) -> Bool {
    guard world.dispatcher.runnableCount > 0 else { return wake() }
    let lane = laneThatGoesOn ?? chosenLane(&choices)
    if isPreemption(lane) { preemptionCount += 1 }
    return take(lane, observe) != nil
  }

  /// Whether `lane` would interrupt another, the program's thread apart, that could go on.
  package func isPreemption(_ lane: LaneID) -> Bool {
    guard let current, current != lane, current != driver else { return false }
    return world.dispatcher.canRun(current)
  }

  private mutating func chosenLane(_ choices: inout Choices) -> LaneID {
    forecast.turnCount += 1
    if let lane = world.dispatcher.onlyRunnable {
      scheduler.follow(lane, in: world, choices)
      return lane
    }
    let decision = world.dispatcher.decision(
      driver: driver, turnsToCome: forecast.turnsToCome)
    return scheduler.choose(decision, in: world, &choices)
  }

  /// The lane that ran last, if it is in the middle of something that nobody interrupts.
  var laneThatGoesOn: LaneID? {
    guard let current, world.dispatcher.canRun(current), !world.isAtSynchronisationPoint(current)
    else {
      return nil
    }
    return current
  }

  /// Lets time pass; false if nobody waits for that. Of those who wake together, any may go first.
  package mutating func wake() -> Bool {
    if !scheduler.isInOrder { current = nil }
    let (start, isHeld) = (world.dispatcher.now, world.mainQueueHold != nil)
    guard world.wake() else { return false }
    if isHeld { mainQueueOccupancy += world.dispatcher.now.milliseconds - start.milliseconds }
    longestMainQueueHold = max(longestMainQueueHold, world.mainQueueHoldingTime)
    invariants.followClock(in: world, submitted: submitted)
    noteWhetherStuck()
    return true
  }

  private mutating func noteWhetherStuck() {
    guard world.dispatcher.isQuiescent, !world.isDriverIdle else { return }
    if world.waitsForResume { hasEnded = true }
  }

  /// Of a schedule among others, what does not depend on it.
  mutating func forgetNeedlessCollections() { world.forgetNeedlessCollections() }

  /// One turn of a lane that can run; nil if lanes have had more turns than a step should set off.
  mutating func take(
    _ lane: LaneID, _ observe: (Action, [Event]) -> Void
  ) -> Progress? {
    turnsLeft -= 1
    turnsTaken += 1
    if turnsLeft == 0 {
      let detail = "after \(turnsTaken) turns lanes still go on, each setting off the next"
      record([Violation(.EveryStepTerminates, detail: detail)])
      return nil
    }
    current = lane
    busyLanes |= 1 << UInt64(lane.index & 63)
    let unfinishedCount = recorder == nil ? 0 : world.unfinishedBlockCount
    let progress = world.advance(lane)
    switch progress {
    case .performed(let action):
      check(action, by: lane)
      observe(action, world.events)
      turnsLeft = max(1, turnsLeft - world.events.count / DifferentialRun.eventsOfATurn)
    case .moved: break
    case .blocked:
      if !world.dispatcher.deadlocks.isEmpty { hasEnded = true }
      record(invariants.deadlocks(in: world, submitted: submitted))
    }
    if invariants.followsTurns { invariants.followTurn(of: lane, in: world) }
    recorder?.note(
      lane, progress, unfinishedCount: unfinishedCount, step: stepCount, submitted: submitted,
      violationCount: violations.count, in: world)
    noteWhetherStuck()
    return progress
  }

  private mutating func check(_ action: Action, by lane: LaneID) {
    if action.isCountedAsStep {
      stepCount += 1
      if world.events.count == 1, world.events[0] == .nothing { wastedStepCount += 1 }
    }
    for event in world.events { event.feed(into: &digest) }
    stateCoverage?.note(action, in: world)
    let isFull = isTimeForFullComparison()
    guard comparesWithReference else {
      if isFull {
        invariants.lookAtEverything()
        forgetActions()
      }
      return judge(action, by: lane)
    }
    reference.perform(action)
    if !DifferentialRun.agree(reference.events, world.events) {
      disagreement = Disagreement(
        action: action, stepNumber: stepCount,
        kind: .events(expected: reference.events, actual: world.events))
      return
    }
    if action.replacesContexts || isFull {
      compareEverything(after: action)
    } else {
      compareTouched(after: action)
    }
    if disagreement == nil { judge(action, by: lane) }
  }

  /// Written out: `==` of two arrays asks event by event by way of a table.
  private static func agree(_ some: [Event], _ others: [Event]) -> Bool {
    guard some.count == others.count else { return false }
    for index in some.indices where !(some[index] == others[index]) { return false }
    return true
  }

  /// Likewise of two optionals.
  @inline(__always) private func agree<View: Equatable>(_ some: View?, _ other: View?) -> Bool {
    if let some, let other { return some == other }
    return some == nil && other == nil
  }

  private mutating func judge(_ action: Action, by lane: LaneID) {
    record(invariants.check(action, by: lane, step: stepCount, in: world))
  }

  private mutating func record(_ found: [Violation], isAtEnd: Bool = false) {
    for var violation in found {
      if violation.stepNumber == 0 {
        violation.stepNumber = stepCount
        violation.isFoundAtEnd = isAtEnd
      }
      violation.names = violation.objects.compactMap { id in
        world.name(of: id).map { Violation.NamedObject(object: id, name: $0) }
      }
      violations.append(violation)
    }
  }

  /// From here on every turn is taken down.
  mutating func beginRecording() {
    world.notesWrites = true
    recorder = Recorder(world)
  }

  // MARK: Searching among states

  package init(_ configuration: RunConfiguration, _ program: Program) {
    self.init(
      model: program.model, stack: program.stack, quirks: configuration.quirks,
      bugs: configuration.bugs, policy: program.isInterleaved ? .random : .inOrder,
      comparesWithReference: configuration.comparesWithReference, scrutiny: configuration.scrutiny)
  }

  /// The lanes that can go next, in the order in which the scheduler numbers them; none if time has
  /// to pass first, or the run is over.
  package var alternatives: [LaneID] {
    if isOver { return [] }
    return SchedulingPolicy.alternatives(in: world.dispatcher, driver: world.driver)
  }

  /// Whether nothing goes on by itself.
  package var isAtRest: Bool { world.dispatcher.isQuiescent }

  /// Lets `lane` go until another may.
  package mutating func go(_ lane: LaneID) {
    repeat { if take(lane, { _, _ in }) == nil { return } } while !isOver && laneThatGoesOn == lane
  }

  /// Lets the lanes run until none can.
  package mutating func rest(_ choices: inout Choices) {
    while !isOver, takeTurn(&choices, { _, _ in }) {}
  }

  package func failed(as kind: FailureKind) -> Bool {
    disagreement?.failureKind == kind || violations.contains { $0.kind == kind }
  }

  /// Feeds all that decides whether, and how, the run can still fail as `kind`. For membership
  /// within a process only.
  package func hashState(into hasher: inout Hasher, for kind: FailureKind, tellsHistory: Bool) {
    world.hashState(into: &hasher, tellsHistory: tellsHistory)
    if !scheduler.isInOrder { hasher.combine(current) }
    if let invariant = kind.invariant { invariants.hashMemory(of: invariant, into: &hasher) }
    if comparesWithReference { reference.hashState(into: &hasher, tellsHistory: tellsHistory) }
  }

  // MARK: Comparing states

  /// Compares what the action can have changed, by the account of either side: what both left alone
  /// was equal before.
  private mutating func compareTouched(after action: Action) {
    let touched = world.touchedContexts | reference.touchedContexts
    for index in 0..<world.contextCount
    where touched & 1 << UInt64(index & 63) != 0 && !agreesOnTouched(in: ContextID(index)) {
      compareViews(of: ContextID(index), after: action)
    }
    for index in 0..<world.storeCount where !agreesOnTouchedRows(of: StoreID(index)) {
      compareRows(of: StoreID(index), after: action)
    }
  }

  private func agreesOnTouched(in context: ContextID) -> Bool {
    guard world.instanceCount(of: context) == reference.instanceCount(of: context) else {
      return false
    }
    return agrees(on: world.touched(in: context), reference.touched(in: context)) { id in
      agree(world.view(of: id, in: context), reference.view(of: id, in: context))
    }
  }

  /// Whether everything that one side or the other has touched is the same on both. They mostly
  /// name the same in the same order, often several times.
  @inline(__always) private func agrees(
    on some: [ObjectID], _ others: [ObjectID], _ isSame: (ObjectID) -> Bool
  ) -> Bool {
    for (index, id) in some.enumerated() where index == 0 || some[index - 1] != id {
      if !isSame(id) { return false }
    }
    for (index, id) in others.enumerated() where index == 0 || others[index - 1] != id {
      // To look through a long list takes longer than to compare once more.
      let isKnown =
        index < some.count && some[index] == id || some.count <= 8 && some.contains(id)
      if !isKnown && !isSame(id) { return false }
    }
    return true
  }

  private func agreesOnTouchedRows(of store: StoreID) -> Bool {
    guard world.rowCount(of: store) == reference.rowCount(of: store) else { return false }
    return agrees(on: world.touchedRows(of: store), reference.touchedRows(of: store)) { id in
      agree(world.row(id, of: store), reference.row(id, of: store))
    }
  }

  /// Compares everything at least after so many actions, if there is little of it.
  mutating func compareEverything(every interval: Int) {
    fullComparisonInterval = interval
    forgetActions()
  }

  private mutating func forgetActions() {
    (actionsSinceFullComparison, actionsUntilCounting) = (0, fullComparisonInterval)
  }

  /// Whether there were so many actions since the last full comparison that another adds little to
  /// each.
  private mutating func isTimeForFullComparison() -> Bool {
    actionsSinceFullComparison += 1
    if actionsSinceFullComparison < actionsUntilCounting { return false }
    var count = 0
    for index in 0..<world.contextCount { count += world.instanceCount(of: ContextID(index)) }
    for index in 0..<world.storeCount { count += world.rowCount(of: StoreID(index)) }
    actionsUntilCounting = max(fullComparisonInterval, fullComparisonInterval / 16 * count)
    return actionsSinceFullComparison >= actionsUntilCounting
  }

  private mutating func compareEverything(after action: Action?) {
    invariants.lookAtEverything()
    for index in 0..<world.contextCount { compareViews(of: ContextID(index), after: action) }
    for index in 0..<world.storeCount { compareRows(of: StoreID(index), after: action) }
    forgetActions()
  }

  private mutating func compareViews(of context: ContextID, after action: Action?) {
    let actual = world.view(of: context)
    let expected = reference.view(of: context)
    if expected != actual, disagreement == nil {
      disagreement = Disagreement(
        action: action, stepNumber: stepCount,
        kind: .views(context, expected: expected, actual: actual))
    }
  }

  private mutating func compareRows(of store: StoreID, after action: Action?) {
    let actual = world.rows(of: store)
    let expected = reference.rows(of: store)
    if expected != actual, disagreement == nil {
      disagreement = Disagreement(
        action: action, stepNumber: stepCount,
        kind: .rows(store, expected: expected, actual: actual))
    }
  }
}

extension AddressedStep {
  /// The steps in its block, and in the blocks of those.
  fileprivate var innerStepCount: Int {
    (step.block ?? []).reduce(0) { $0 + 1 + $1.innerStepCount }
  }
}

extension Action {
  /// After it nobody can say what became of each instance that there was.
  fileprivate var replacesContexts: Bool {
    if case .step(let step, .whole) = self, case .kill = step.step { return true }
    return false
  }
}
