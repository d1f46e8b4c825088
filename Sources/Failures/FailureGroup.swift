/// What a failure is a finding about, most severe first: how reports are divided.
package enum FailureGroup: Int, CaseIterable, Comparable, Sendable {
  /// Engine and reference model differ, or a bug is planted: a defect of Faultline.
  case defect
  /// What the stack's parts do together: another design would not fail so.
  case design
  /// What Core Data does by itself, or by a rule of the model, whatever the contexts of the app.
  case frameworkBehaviour
  /// What only the generated program does to itself.
  case misuse

  package static func < (a: FailureGroup, b: FailureGroup) -> Bool { a.rawValue < b.rawValue }

  package var name: String {
    switch self {
    case .defect: "defect of Faultline"
    case .design: "design"
    case .frameworkBehaviour: "framework behaviour"
    case .misuse: "misuse by the generated program"
    }
  }
}

extension FailureGroup {
  /// As a clause that explains the name.
  package var meaning: String {
    switch self {
    case .defect: "the simulation contradicts itself, or a bug is planted in it"
    case .design:
      "what the stack's contexts, observers and entry points bring about together; another design would not"
    case .frameworkBehaviour:
      "what Core Data does by itself, or by a rule of the model, whatever the contexts of the app"
    case .misuse: "what only the generated program does wrong"
    }
  }
}

extension FailureIdentity {
  /// `ways` are those of the failure's example, `part` what of the design took the step that showed
  /// it: nothing is misuse in which the design takes part.
  package func group(part: DesignPart?, ways: ChangeWays?) -> FailureGroup {
    if kind.invariant == nil { return .defect }
    switch cause {
    // A policy that a quirk goes past would do the same: no other design helps.
    case .quirk, .quirks, .quirkAndPolicy: return .frameworkBehaviour
    // The model's rule, or lack of one, does so under every stack.
    case .noActionRule, .missingInverse: return .frameworkBehaviour
    case .plantedBug: return .defect
    default: break
    }
    if part != nil { return .design }
    // The program has met an error and saves once more without a repair.
    if kind.invariant == .ContextsCanSaveAgain { return .misuse }
    switch cause {
    case .program, .bypass: return .misuse
    default:
      return ways?.isDisjoint(with: .programsOwn) == false ? .misuse : .design
    }
  }
}
