extension InvariantDefinition {
  static let storedReferencesLeadToRows = InvariantDefinition(
    "a relationship in a store leads to a row",
    anomalies: [Anomaly("dangling reference")],
    scope: .designs,
    suspicion: Suspicion(conclusion: .programIfItRefreshes),
    advice: { _, _ in
      "delete in a context that knows everything that leads to the object, under a delete rule that clears it: "
        + "no store checks that a destination is there (RL-09)"
    },
    wording: { "\($0.subject) leads to \($0.last), which no store has" })
}
