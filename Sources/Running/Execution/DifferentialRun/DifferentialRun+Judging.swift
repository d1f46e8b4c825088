import Invariants
import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// Collects the violations that invariants find, each with the step at which it was found.
extension DifferentialRun {
  mutating func judge(_ action: Action, by lane: LaneID) {
    let found = invariants.check(action, by: lane, step: stepCount, in: world)
    if !admitsForeignIDs, looksUpForeignID(action) { usedForeignID = true }
    if !found.isEmpty { record(found) }
  }

  /// Returns a Boolean value that indicates whether the action looked up an object by a foreign
  /// temporary ID. Neither the context nor an ancestor has given the object that ID.
  private func looksUpForeignID(_ action: Action) -> Bool {
    guard case .step(let step, .whole) = action, let reference = step.step.reference,
      case .object(let id)? = world.graph.result.events.last
    else { return false }
    return id.isTemporaryID && !world.stack.chain(from: step.context).contains(reference.context)
  }

  /// Records violations. A violation without a step number belongs to the present step.
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
  /// The instance whose ID the step looks up.
  fileprivate var reference: HeldInstance? {
    switch self {
    case .object(with: let reference, as: _), .existingObject(with: let reference, as: _),
      .registeredObject(for: let reference, as: _), .objectForURI(of: let reference, as: _):
      reference
    default: nil
    }
  }
}
