/// The subject of a failure. Reports are divided into these groups, in this order.
package enum FailureGroup: Int, CaseIterable, Comparable, Sendable {
  /// Engine and reference model differ, or a bug is planted. Both are defects of Faultline.
  case defect
  /// The parts of the stack together cause the failure. Another design would not fail this way.
  case design
  /// Core Data or a rule of the model causes the failure, whatever the contexts of the app.
  case frameworkBehaviour
  /// Only the generated program, or a generated model, causes the failure.
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
  /// A clause that explains the name.
  package var meaning: String {
    switch self {
    case .defect: "the simulation contradicts itself, or contains a planted bug"
    case .design:
      "an effect of the stack's contexts, observers and entry points that another design can prevent"
    case .frameworkBehaviour:
      "an effect of Core Data alone, or of a rule or class of the model, with any contexts of the app"
    case .misuse: "an error of the generated program, or of a model that was generated for it"
    }
  }
}

extension FailureIdentity {
  /// Returns the group of a failure. A failure in which the design takes part is never misuse.
  ///
  /// - Parameters:
  ///   - part: The part of the design that took the violating step.
  ///   - ways: The ways in which objects of the failure's example were changed.
  ///   - hasGeneratedModel: Whether the model belongs to the program, and not to the app.
  package func group(
    part: DesignPart?, ways: ChangeWays?, hasGeneratedModel: Bool = false
  ) -> FailureGroup {
    if kind.invariant == nil { return .defect }
    switch cause {
    // A hook of a model's class has the same effect under every stack.
    case .willSave:
      return hasGeneratedModel ? .misuse : .frameworkBehaviour
    // A quirk that bypasses policies would do so with any policy, so no other design helps.
    case .quirk, .quirks, .quirkAndPolicy: return .frameworkBehaviour
    // A rule of the model, or a missing rule, has the same effect under every stack.
    case .noActionRule, .missingInverse: return .frameworkBehaviour
    case .plantedBug: return .defect
    default: break
    }
    if part != nil { return .design }
    // The program met an error and saves again without a repair.
    if kind.invariant == .ContextsCanSaveAgain { return .misuse }
    switch cause {
    case .program, .bypass: return .misuse
    default:
      return ways?.isDisjoint(with: .programsOwn) == false ? .misuse : .design
    }
  }
}
