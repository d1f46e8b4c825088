import Invariants
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// Violations: what the invariants find, with the step at which they found it.
extension DifferentialRun {
  mutating func judge(_ action: Action, by lane: LaneID) {
    let found = invariants.check(action, by: lane, step: stepCount, in: world)
    if !found.isEmpty { record(found) }
  }

  /// Invariants that know the step of their finding say it; the others mean the present one.
  mutating func record(_ found: [Violation], isAtEnd: Bool = false) {
    if found.isEmpty { return }
    for var violation in found {
      if violation.stepNumber == 0 {
        violation.stepNumber = stepCount
        violation.isFoundAtEnd = isAtEnd
      }
      precondition(
        0...stepCount ~= violation.stepNumber,
        "\(violation.invariant) was violated at step \(violation.stepNumber) of \(stepCount)")
      violation.names = violation.objects.compactMap { id in
        world.name(of: id).map { Violation.NamedObject(object: id, name: $0) }
      }
      violations.append(violation)
    }
  }
}
