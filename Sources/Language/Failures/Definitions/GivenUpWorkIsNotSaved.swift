extension InvariantDefinition {
  static let givenUpWorkIsNotSaved = InvariantDefinition(
    "the design saves no change that the program later discards",
    anomalies: [
      Anomaly("half-done work saved") { shape, _ in
        shape.saves ? nil : "no observer or entry point saves"
      }
    ],
    severity: .losesData,
    scope: .designs,
    suspects: Suspects(.knownParts, conclusion: .design),
    advice: { _ in
      "do not save a context that the caller has not changed, or edit in a child context that no other code "
        + "saves. A save includes all changes of its context, also changes by other code (SV-03)"
    },
    wording: {
      "\($0.context) gave up \($0.subject) = \($0.first) only after \($0.detail ?? "the design") "
        + "had saved it"
    })
}
