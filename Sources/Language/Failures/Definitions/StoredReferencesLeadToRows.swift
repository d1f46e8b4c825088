extension InvariantDefinition {
  static let storedReferencesLeadToRows = InvariantDefinition(
    "every stored relationship leads to an existing row",
    anomalies: [Anomaly("dangling reference")],
    severity: .losesData,
    scope: .designs,
    suspects: Suspects(
      .usual.union([.model, .missingMerges]), programs: [.refreshes], conclusion: .design),
    advice: { failure in
      switch failure.cause {
      case .mergePolicy, .mergePolicies:
        "keep the error policy, or fetch the objects that refer to the deleted one after the save. A policy that "
          + "settles the conflict keeps references that others have saved, or brings the row back with its old ones "
          + "(MP-19, RL-09)"
      case .noActionRule:
        "give the relationship the delete rule nullify, cascade or deny, or clear the references to an object in "
          + "code before deleting the object. The rule noAction does not clear them (RL-06, RL-09)"
      case .missingInverse:
        "give the relationship an inverse whose delete rule clears it, or clear the references to an object in "
          + "code before deleting the object. Without an inverse, no delete rule clears them (RL-09)"
      default:
        "delete in a context that has all references to the object, with a delete rule that clears them. "
          + "No store checks that the destination of a relationship exists (RL-09)"
      }
    },
    wording: { "\($0.subject) leads to \($0.last), which no store contains" })
}
