import Invariants
import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// Violations: what the invariants find, with the step at which they found it.
extension DifferentialRun {
  mutating func judge(_ action: Action, by lane: LaneID) {
    let found = invariants.check(action, by: lane, step: stepCount, in: world)
    if !admitsForeignIDs, looksUpForeignID(action) { usedForeignID = true }
    if !found.isEmpty { record(found) }
  }

  /// A Boolean value that indicates whether the action looked up an object by a temporary ID that
  /// neither its context nor an ancestor has given it.
  private func looksUpForeignID(_ action: Action) -> Bool {
    guard case .step(let step, .whole) = action, let reference = step.step.reference,
      case .object(let id)? = world.graph.result.events.last
    else { return false }
    return id.isTemporaryID && !world.stack.chain(from: step.context).contains(reference.context)
  }

  /// Invariants that know the step of their finding say it; the others mean the present one.
  mutating func record(_ found: [Violation], isAtEnd: Bool = false) {
    if found.isEmpty || usedForeignID { return }
    let new = violations.count..<violations.count + found.count
    violations += found
    for index in new {
      if violations[index].stepNumber == 0 {
        violations[index].stepNumber = stepCount
        violations[index].isFoundAtEnd = isAtEnd
      }
      precondition(
        0...stepCount ~= violations[index].stepNumber,
        "\(violations[index].invariant) was violated at step \(violations[index].stepNumber) of"
          + " \(stepCount)")
      var names: [Violation.NamedObject] = []
      for id in violations[index].objects {
        if let name = world.graph.name(of: id) {
          names.append(Violation.NamedObject(object: id, name: name))
        }
      }
      violations[index].names = names
    }
  }
}

extension Step {
  /// The instance by whose ID the step looks an object up.
  fileprivate var reference: HeldInstance? {
    switch self {
    case .object(with: let reference, as: _), .existingObject(with: let reference, as: _),
      .registeredObject(for: let reference, as: _), .objectForURI(of: let reference, as: _):
      reference
    default: nil
    }
  }
}
