import Determinism
import Invariants
import ReferenceDispatch
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// Steps that no other lane can interrupt (`World.LoneStep`). The turns of such steps are taken
/// together, and counted as if they were taken one by one.
extension DifferentialRun {
  /// Takes the turns of `step` up to the first point at which another lane could run. Returns
  /// `false` if that point precedes the first turn. A run that is recorded turn by turn has no such
  /// steps.
  mutating func runAlone(
    _ step: AddressedStep, _ choices: borrowing Choices,
    observing observe: (Action, [Event]) -> Void
  ) -> Bool {
    guard takesTurnsTogether, recorder == nil, var lone = world.loneStep(step) else { return false }
    noteSubmission(of: step)
    let own = QueueSet(lone.queue)
    // The step takes its queue, then begins in its own block.
    guard takeTurns(2, synchronised: 2, on: own, choices), expectBegin(of: step) else {
      if comparesLanes, !isOver { lanes.submit(step) }
      world.submit(step)
      return true
    }
    defer { lanes.leaveToTurns() }
    world.begin(lone)
    followTurns()
    repeat {
      guard takeAction(of: &lone, step, choices, observe) else { return true }
      guard takeTurns(1, synchronised: 0, on: own, choices) else {
        world.leaveToTurns(lone, of: step)
        return true
      }
      lanes.releaseAlone()
      let goesOn = world.endAction(of: &lone)
      guard world.isStillAlone else {
        if goesOn { world.leaveToTurns(lone, of: step) } else { world.leaveEndToTurns(of: step) }
        return true
      }
      if goesOn { continue }
      guard takeTurns(2, synchronised: 1, on: own, choices) else {
        world.leaveEndToTurns(of: step)
        return true
      }
      lanes.endAlone()
      world.end(lone)
      followTurns()
      return true
    } while true
  }

  /// Takes the queues of the action, performs the action and checks it. Returns `false` if the rest
  /// of the step is left to single turns.
  private mutating func takeAction(
    of lone: inout World.LoneStep, _ step: AddressedStep, _ choices: borrowing Choices,
    _ observe: (Action, [Event]) -> Void
  ) -> Bool {
    let needs = world.queuesNeeded(for: lone)
    guard allowance.left > needs.count + 1, world.take(needs),
      takeTurns(
        needs.count + 1, synchronised: needs.count, on: world.queuesOfTurns(of: lone), choices),
      expectPerformance(of: lone.action, needing: needs)
    else {
      world.leaveToTurns(lone, of: step)
      return false
    }
    followTurns()
    let isAlone = world.perform(&lone, of: step)
    follow(lone.action, by: driver, observe)
    if isAlone, isOver { world.leaveToTurns(lone, of: step) }
    return isAlone && !isOver
  }

  /// Counts turns of the program's thread. Turns at synchronisation points count as choices among
  /// one lane. Returns `false`, and counts none, if the turns exceed the allowance.
  private mutating func takeTurns(
    _ count: Int, synchronised: Int, on queues: QueueSet, _ choices: borrowing Choices
  ) -> Bool {
    guard allowance.takeTurns(count) else { return false }
    noteLane(driver)
    forecast.turnCount += synchronised
    if synchronised > 0 { scheduler.follow(driver, on: queues, choices) }
    return true
  }

  private mutating func followTurns() {
    if followsTurns { invariants.followTurn(of: driver, in: world) }
  }
}
