package import Determinism
package import Failures
import Invariants
import ReferenceModel
import SimulatedCoreData
package import SimulatedDispatch
package import Vocabulary

/// For searches among states and schedules, which choose each lane themselves.
extension DifferentialRun {
  /// The runnable lanes, in the order in which the scheduler numbers them; none if time has
  /// to pass first, or the run is over.
  package var alternatives: [LaneID] {
    if isOver { return [] }
    return SchedulingPolicy.alternatives(in: world.dispatcher, driver: world.driver)
  }

  /// Whether no lane can run and no deadline is pending.
  package var isAtRest: Bool { world.dispatcher.isQuiescent }

  /// Hands a step to the program's thread, and takes those of its turns that no other lane can come
  /// between, up to where another lane may go.
  package mutating func begin(_ step: AddressedStep, _ choices: borrowing Choices) {
    guard runAlone(step, choices, observing: { _, _ in }) else { return submit(step) }
    while !isOver, let lane = laneThatGoesOn, take(lane, { _, _ in }) != nil {}
  }

  /// Lets `lane` go until another may.
  package mutating func go(
    _ lane: LaneID, observing observe: (Action, [Event]) -> Void = { _, _ in }
  ) {
    precondition(world.dispatcher.canRun(lane), "lane \(lane.index) cannot run")
    repeat { if take(lane, observe) == nil { return } } while !isOver && laneThatGoesOn == lane
  }

  /// Lets the lanes run until none can.
  package mutating func rest(_ choices: inout Choices) {
    while !isOver, takeTurn(&choices, { _, _ in }) {}
  }

  package func failed(as target: FailureSignature) -> Bool {
    disagreement?.failureKind == target.kind
      || violations.contains {
        $0.kind == target.kind && target.admits($0.signature(in: world.stack))
      }
  }

  /// Feeds all that decides whether, and how, the run can still fail as `target`. For membership
  /// within a process only.
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

  /// Notes no answers of requests from here on, which no later step asks for.
  package mutating func forgetAnswers() { world.notesAnswers = false }

  /// Drops what was noted for comparing after the last action: every copy would have to.
  package mutating func forgetTouched() { world.forgetTouched() }

  /// Drops what the engine keeps although no later step depends on it, so that equal states look
  /// equal.
  mutating func forgetNeedlessCollections() { world.forgetNeedlessCollections() }
}
