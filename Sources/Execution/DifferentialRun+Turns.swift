import Determinism
import Failures
import Invariants
import ReferenceModel
package import SimulatedCoreData
package import SimulatedDispatch
package import Vocabulary

extension DifferentialRun {
  /// A step is about to be submitted: lanes may take more turns.
  mutating func allowTurns(for step: AddressedStep) {
    allowance.beginStep(
      innerStepCount: step.innerStepCount, blockCount: world.unfinishedBlockCount,
      isAtRest: world.dispatcher.isQuiescent)
  }

  /// The last step was submitted: what is left may run to its end.
  package mutating func allowTurnsOfEnd() {
    allowance.beginEnd(blockCount: world.unfinishedBlockCount)
  }

  /// One turn of the lane that the scheduler chooses; false if nothing can happen any more.
  mutating func takeTurn(
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

  /// The lane that ran last, if it is within a part of an operation that is not interrupted.
  var laneThatGoesOn: LaneID? {
    guard let current, world.dispatcher.canRun(current), !world.isAtSynchronisationPoint(current)
    else {
      return nil
    }
    return current
  }

  /// Moves the clock to the next deadline; false if there is none. Of lanes that wake together, any
  /// may go first.
  package mutating func wake() -> Bool {
    if !scheduler.isInOrder { current = nil }
    let (start, isHeld) = (world.dispatcher.now, world.mainQueueHold != nil)
    guard world.wake() else { return false }
    precondition(start < world.dispatcher.now, "the clock moves, but not forward")
    if isHeld { mainQueueOccupancy += world.dispatcher.now.milliseconds - start.milliseconds }
    longestMainQueueHold = max(longestMainQueueHold, world.mainQueueHoldingTime)
    invariants.followClock(in: world, submitted: submitted)
    noteSuspension()
    return true
  }

  private mutating func noteSuspension() {
    guard world.dispatcher.isQuiescent, !world.isDriverIdle else { return }
    if world.waitsForResume { end(by: .suspension) } else { noteWaitInVain() }
  }

  /// That a lane waits for a group for good is known only when nothing can happen any more.
  mutating func noteWaitInVain() {
    guard world.noteWaitInVain() else { return }
    end(by: .deadlock)
    record(invariants.deadlocks(in: world, submitted: submitted))
  }

  /// The first reason to end a run is the one that counts.
  mutating func end(by reason: Ending) { ending = ending ?? reason }

  /// One turn of a lane that can run; nil if lanes have taken more turns than a step may set off.
  package mutating func take(
    _ lane: LaneID, _ observe: (Action, [Event]) -> Void
  ) -> Progress? {
    precondition(!isFinished, "lane \(lane.index) takes a turn in a run that is finished")
    guard allowance.takeTurn() else {
      end(by: .endlessReaction)
      let detail = "after \(allowance.taken) turns lanes still go on, each setting off the next"
      record([Violation(.EveryStepTerminates, detail: detail)])
      return nil
    }
    noteLane(lane)
    let unfinishedCount = recorder == nil ? 0 : world.unfinishedBlockCount
    let progress = advance(lane)
    switch progress {
    case .performed(let action): follow(action, by: lane, observe)
    case .moved: break
    case .blocked:
      if !world.dispatcher.deadlocks.isEmpty { end(by: .deadlock) }
      record(invariants.deadlocks(in: world, submitted: submitted))
    }
    if followsTurns { invariants.followTurn(of: lane, in: world) }
    recorder?.note(
      lane, progress, unfinishedCount: unfinishedCount, step: stepCount, submitted: submitted,
      violationCount: violations.count, in: world)
    noteSuspension()
    #if DEBUG
      // Of a run of code at the end only: the debug builds of apps take half as long.
      if world.code == nil { checkInvariants() }
    #endif
    return progress
  }

  mutating func noteLane(_ lane: LaneID) {
    current = lane
    busyLanes |= 1 << UInt64(lane.index & 63)
  }

  /// Everything that follows an action.
  mutating func follow(
    _ action: Action, by lane: LaneID, _ observe: (Action, [Event]) -> Void
  ) {
    check(action, by: lane)
    eventLog?.note(action, world.graph.result.events, stepNumber: stepCount)
    observe(action, world.graph.result.events)
    let eventCount = world.graph.result.events.count
    if eventCount < TurnAllowance.eventsOfATurn { return }
    allowance.charge(
      eventCount: eventCount, instanceCount: world.graph.instanceCount(of: action.context))
  }

  /// Counts an action, then compares and judges it.
  private mutating func check(_ action: Action, by lane: LaneID) {
    if action.isCountedAsStep {
      stepCount += 1
      if world.graph.result.events.count == 1, case .nothing = world.graph.result.events[0] {
        wastedStepCount += 1
      }
    }
    world.graph.result.events.feed(into: &digest)
    stateCoverage?.note(action, in: world)
    compare(after: action)
    // A pattern: `== nil` copies what it looks at.
    if case .none = disagreement {
      followOnLanes(action, by: lane)
      judge(action, by: lane)
    }
  }
}

extension AddressedStep {
  /// The steps in its block, and in the blocks of those.
  fileprivate var innerStepCount: Int {
    guard let block = step.block else { return 0 }
    var count = block.count
    for inner in block { count += inner.innerStepCount }
    return count
  }
}
