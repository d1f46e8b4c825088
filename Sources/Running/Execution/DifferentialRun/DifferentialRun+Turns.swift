import Determinism
import Failures
import Invariants
import ReferenceModel
package import SimulatedCoreData
package import SimulatedDispatch
package import Vocabulary

extension DifferentialRun {
  /// Adds the turns that `step` allows, before it is submitted.
  mutating func allowTurns(for step: AddressedStep) {
    allowance.beginStep(
      innerStepCount: step.innerStepCount, blockCount: world.unfinishedBlockCount,
      isAtRest: world.dispatcher.isQuiescent)
  }

  /// Adds the turns that unfinished work may take after the last step.
  package mutating func allowTurnsOfEnd() {
    allowance.beginEnd(blockCount: world.unfinishedBlockCount)
  }

  /// Takes one turn of the lane that the scheduler chooses. Returns `false` if nothing more can
  /// happen.
  mutating func takeTurn(
    _ choices: inout Choices, _ observe: (Action, [Event]) -> Void
  ) -> Bool {
    guard world.dispatcher.runnableCount > 0 else { return wake() }
    let lane = laneThatGoesOn ?? chosenLane(&choices)
    if isPreemption(lane) { preemptionCount += 1 }
    return take(lane, observe) != nil
  }

  /// Returns a Boolean value that indicates whether `lane` would interrupt another lane that could
  /// continue. Interrupting the program's thread does not count.
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

  /// Moves the clock to the next deadline. Returns `false` if no deadline is pending. Any of the
  /// lanes that wake together may go first.
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

  /// Reports a lane that waits for a group forever. That is known only when nothing more can
  /// happen.
  mutating func noteWaitInVain() {
    guard world.noteWaitInVain() else { return }
    end(by: .deadlock)
    record(invariants.deadlocks(in: world, submitted: submitted))
  }

  /// Ends the run. The first reason counts.
  mutating func end(by reason: Ending) { ending = ending ?? reason }

  /// Takes one turn of a lane that can run. Returns `nil` if lanes have taken more turns than a
  /// step may set off.
  package mutating func take(
    _ lane: LaneID, _ observe: (Action, [Event]) -> Void
  ) -> Progress? {
    precondition(!isFinished, "lane \(lane.index) takes a turn in a run that is finished")
    guard allowance.takeTurn() else {
      end(by: .endlessReaction)
      let detail =
        "after \(allowance.taken) turns, lanes keep running, and each one starts the next"
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
      // A run of code is checked at its end only, which halves its time in debug builds.
      if world.code == nil { checkInvariants() }
    #endif
    return progress
  }

  mutating func noteLane(_ lane: LaneID) {
    current = lane
    busyLanes |= 1 << UInt64(lane.index & 63)
  }

  /// Checks, logs and reports an action, and charges its events to the allowance.
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
    // A pattern match, because `== nil` copies the disagreement.
    if case .none = disagreement {
      followOnLanes(action, by: lane)
      judge(action, by: lane)
    }
  }
}

extension AddressedStep {
  /// The number of steps in the step's block, and in the blocks of those steps.
  fileprivate var innerStepCount: Int {
    guard let block = step.block else { return 0 }
    var count = block.count
    for inner in block { count += inner.innerStepCount }
    return count
  }
}
