extension InvariantDefinition {
  static let storedReferencesLeadToRows = InvariantDefinition(
    "a relationship in a store leads to a row",
    anomalies: [Anomaly("dangling reference")],
    severity: .losesData,
    scope: .designs,
    suspects: Suspects(
      .usual.union([.model, .missingMerges]), programs: [.refreshes], conclusion: .design),
    advice: { failure in
      switch failure.cause {
      case .mergePolicy, .mergePolicies:
        "keep the error policy where objects are deleted, or look after the save whether what "
          + "was deleted is gone: the policy settles the conflict of a deletion, and what is left "
          + "leads nowhere (RL-09)"
      case .noActionRule:
        "give the relationship the delete rule nullify, cascade or deny, or clear the references to an object in "
          + "code before it is deleted: under noAction nothing does (RL-06, RL-09)"
      case .missingInverse:
        "give the relationship an inverse, whose delete rule clears it, or clear the references to an object in "
          + "code before it is deleted: without an inverse nothing does (RL-09)"
      default:
        "delete in a context that knows everything that leads to the object, under a delete rule that clears it: "
          + "no store checks that a destination is there (RL-09)"
      }
    },
    wording: { "\($0.subject) leads to \($0.last), which no store has" })
}
