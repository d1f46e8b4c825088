package import Determinism
package import Failures
import Invariants
import ReferenceModel
import SimulatedCoreData
package import SimulatedDispatch
package import Vocabulary

/// For searches among states and schedules, which choose each lane themselves.
extension DifferentialRun {
  /// The runnable lanes, in the order in which the scheduler numbers them. Empty if time has to
  /// pass first, or if the run is over.
  package var alternatives: [LaneID] {
    if isOver { return [] }
    return SchedulingPolicy.alternatives(in: world.dispatcher, driver: world.driver)
  }

  /// A Boolean value that indicates whether no lane can run and no deadline is pending.
  package var isAtRest: Bool { world.dispatcher.isQuiescent }

  /// Submits a step to the program's thread. Takes the turns of the step that no other lane can
  /// interrupt.
  package mutating func begin(_ step: AddressedStep, _ choices: borrowing Choices) {
    guard runAlone(step, choices, observing: { _, _ in }) else { return submit(step) }
    while !isOver, let lane = laneThatGoesOn, take(lane, { _, _ in }) != nil {}
  }

  /// Runs `lane` until another lane may run.
  package mutating func go(
    _ lane: LaneID, observing observe: (Action, [Event]) -> Void = { _, _ in }
  ) {
    precondition(world.dispatcher.canRun(lane), "lane \(lane.index) cannot run")
    repeat { if take(lane, observe) == nil { return } } while !isOver && laneThatGoesOn == lane
  }

  /// Runs the lanes until none can run.
  package mutating func rest(_ choices: inout Choices) {
    while !isOver, takeTurn(&choices, { _, _ in }) {}
  }

  package func failed(as target: FailureSignature) -> Bool {
    disagreement?.failureKind == target.kind
      || violations.contains {
        $0.kind == target.kind && target.admits($0.signature(in: world.stack))
      }
  }

  /// Feeds everything that decides whether, and how, the run can still fail as `target`. The hash
  /// is valid within one process only.
  package func hashState(
    into hasher: inout Hasher, for target: FailureSignature, tellsHistory: Bool
  ) {
    world.hashState(into: &hasher, tellsHistory: tellsHistory)
    if !scheduler.isInOrder { hasher.combine(current) }
    if usedForeignID { hasher.combine(usedForeignID) }
    if let invariant = target.kind.invariant {
      invariants.hashMemory(of: invariant, in: world, into: &hasher)
    }
    if target.detail != nil { invariants.hashChanges(into: &hasher) }
    if comparesWithReference { reference.hashState(into: &hasher, tellsHistory: tellsHistory) }
  }

  /// Stops noting the answers of requests. No later step may use them.
  package mutating func forgetAnswers() { world.notesAnswers = false }

  /// Drops the list of touched objects after the last comparison, so that copies of the run need
  /// not copy it.
  package mutating func forgetTouched() { world.forgetTouched() }

  /// Cancels pending searches for releasable instances that would find none, so that equal states
  /// compare equal.
  mutating func forgetNeedlessCollections() { world.forgetNeedlessCollections() }
}
