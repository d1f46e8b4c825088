package import Determinism
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
package struct Session {
  package private(set) var world: World
  private var reference: ReferenceStack
  private var invariants: InvariantChecks
  private let policy: SchedulingPolicy
  private let comparesWithReference: Bool
  private var current: LaneID?
  /// The step of the program that is being run.
  private var submitted: AddressedStep?
  /// Turns that lanes may still take for the present step, and how many it was given: observers that
  /// set each other off would go on for ever.
  private var turnsLeft = Session.turnLimit
  private var turnsGiven = Session.turnLimit
  /// For what a step sets off at once, and for every block that stands in line by then.
  private static let turnLimit = 2_000
  private static let turnsOfABlock = 200

  /// Fingerprint of everything that could be observed, in order.
  package private(set) var digest = Digest()
  /// Steps that were performed and checked; a save is one.
  package private(set) var stepCount = 0
  /// Steps that came to nothing because what they name was not there.
  package private(set) var wastedStepCount = 0
  /// Where engine and reference parted; the run ends there.
  package private(set) var disagreement: Disagreement?
  package private(set) var violations: [Violation] = []
  /// The longest that anybody had the main queue, in milliseconds of virtual time.
  package private(set) var longestMainQueueHold = 0

  package init(
    model: ObjectModel, stack: Stack, quirks: QuirkSet, bugs: PlantedBugSet = PlantedBugSet(),
    policy: SchedulingPolicy = .inOrder, comparesWithReference: Bool = true,
    scrutiny: Scrutiny = .soundness
  ) {
    world = World(model: model, stack: stack, quirks: quirks, bugs: bugs)
    world.notesWrites = scrutiny != .soundness
    reference = ReferenceStack(model: model, stack: stack, quirks: quirks)
    invariants = InvariantChecks(world, scrutiny)
    self.policy = policy
    self.comparesWithReference = comparesWithReference
  }

  /// Whether the run is over before its program is: the reference disagreed, or nothing can go on.
  package var isOver: Bool {
    turnsLeft == 0 || disagreement != nil || !world.dispatcher.deadlocks.isEmpty
  }

  /// Submits a step and lets the lanes run: to rest if the driver goes last (`inOrder`), else until
  /// the driver can take the next step.
  package mutating func run(
    _ step: AddressedStep, _ choices: inout Choices,
    observing observe: (Action, [Event]) -> Void = { _, _ in }
  ) {
    submit(step)
    while !isOver {
      if policy == .random, world.isDriverIdle { return }
      guard takeTurn(&choices, observe) else { return }
    }
  }

  /// Hands a step to the driver, which must be idle.
  mutating func submit(_ step: AddressedStep) {
    submitted = step
    world.submit(step)
    allowMoreTurns(for: step.innerStepCount)
  }

  /// A step is submitted, or the last one was: lanes may go on for longer.
  mutating func allowMoreTurns(for innerStepCount: Int = 0) {
    turnsGiven =
      Session.turnLimit
      + Session.turnsOfABlock * (world.unfinishedBlockCount + innerStepCount)
    turnsLeft = turnsGiven
  }

  /// Lets everything that is still enqueued run, and checks what must hold in the end.
  package mutating func finish(
    _ choices: inout Choices, observing observe: (Action, [Event]) -> Void = { _, _ in }
  ) {
    if !isOver { allowMoreTurns() }
    while !isOver, takeTurn(&choices, observe) {}
    if comparesWithReference, turnsLeft > 0, disagreement == nil, world.dispatcher.deadlocks.isEmpty
    {
      if let expected = reference.awaitedMerges.first {
        disagreement = Disagreement(
          action: nil, stepNumber: stepCount, kind: .missingMerge(expected.context, expected.number)
        )
      }
      compareEverything(after: nil)
    }
    record(invariants.atEnd(of: world))
    digest.feed(violations.count)
  }

  /// One turn of one lane; false if nothing can ever happen any more.
  private mutating func takeTurn(
    _ choices: inout Choices, _ observe: (Action, [Event]) -> Void
  ) -> Bool {
    guard world.dispatcher.runnableCount > 0 else { return wake() }
    let lane =
      laneThatGoesOn
      ?? policy.choose(among: world.dispatcher, driver: world.driver, choices: &choices)
    return take(lane, observe) != nil
  }

  /// The lane that ran last, if it is in the middle of something that nobody interrupts.
  var laneThatGoesOn: LaneID? {
    guard let current, world.canRun(current), !world.isAtSynchronisationPoint(current) else {
      return nil
    }
    return current
  }

  /// Lets time pass; false if nobody waits for that. Of those who wake together, any may go first.
  mutating func wake() -> Bool {
    if policy == .random { current = nil }
    guard world.wake() else { return false }
    longestMainQueueHold = max(longestMainQueueHold, world.mainQueueHoldingTime)
    invariants.followClock(in: world, submitted: submitted)
    return true
  }

  /// Of a schedule among others, what does not depend on it.
  mutating func forgetNeedlessCollections() { world.forgetNeedlessCollections() }

  /// One turn of a lane that can run; nil if lanes have had more turns than a step should set off.
  mutating func take(
    _ lane: LaneID, _ observe: (Action, [Event]) -> Void
  ) -> Progress? {
    turnsLeft -= 1
    if turnsLeft == 0 {
      let detail = "after \(turnsGiven) turns lanes still go on, each setting off the next"
      record([Violation(.EveryStepComesToRest, detail: detail)])
      return nil
    }
    current = lane
    let progress = world.advance(lane)
    switch progress {
    case .performed(let action):
      check(action, by: lane)
      observe(action, world.events)
    case .moved: break
    case .blocked: record(invariants.deadlocks(in: world, submitted: submitted))
    }
    invariants.followTurn(in: world)
    return progress
  }

  private mutating func check(_ action: Action, by lane: LaneID) {
    if action.isCountedAsStep {
      stepCount += 1
      if world.events.count == 1, world.events[0] == .nothing { wastedStepCount += 1 }
    }
    for event in world.events { event.feed(into: &digest) }
    guard comparesWithReference else { return judge(action, by: lane) }
    let expected = reference.perform(action)
    if expected != world.events {
      disagreement = Disagreement(
        action: action, stepNumber: stepCount,
        kind: .events(expected: expected, actual: world.events))
      return
    }
    if action.isCommit {
      compareEverything(after: action)
    } else {
      compareViews(of: action.context, after: action)
    }
    if disagreement == nil { judge(action, by: lane) }
  }

  private mutating func judge(_ action: Action, by lane: LaneID) {
    record(invariants.check(action, by: lane, step: stepCount, in: world))
  }

  private mutating func record(_ found: [Violation]) {
    for var violation in found {
      if violation.stepNumber == 0 { violation.stepNumber = stepCount }
      violation.names = violation.objects.compactMap { id in
        world.name(of: id).map { Violation.NamedObject(object: id, name: $0) }
      }
      violations.append(violation)
    }
  }

  // MARK: Comparing states

  private mutating func compareViews(of context: ContextID, after action: Action?) {
    let actual = world.view(of: context)
    let expected = reference.view(of: context)
    if expected != actual, disagreement == nil {
      disagreement = Disagreement(
        action: action, stepNumber: stepCount,
        kind: .views(context, expected: expected, actual: actual))
    }
  }

  private mutating func compareEverything(after action: Action?) {
    for context in world.stack.contextIDs { compareViews(of: context, after: action) }
    for index in world.stack.stores.indices {
      let actual = world.rows(of: StoreID(index))
      let expected = reference.rows(of: StoreID(index))
      if expected != actual, disagreement == nil {
        disagreement = Disagreement(
          action: action, stepNumber: stepCount,
          kind: .rows(StoreID(index), expected: expected, actual: actual))
      }
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
  /// Phases of a save after its first belong to the same step; one that is refused for its queue is
  /// a step, too.
  package var isCountedAsStep: Bool {
    switch self {
    case .step(_, .whole), .step(_, .flush), .merge, .mergeRemote, .wrongQueue: true
    default: false
    }
  }

  var isCommit: Bool {
    if case .step(_, .commit) = self { return true }
    return false
  }
}
