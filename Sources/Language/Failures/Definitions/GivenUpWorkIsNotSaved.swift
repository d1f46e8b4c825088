extension InvariantDefinition {
  static let givenUpWorkIsNotSaved = InvariantDefinition(
    "what a program changes in a context and gives up, no part of the design has saved",
    anomalies: [
      Anomaly("half-done work saved") { shape, _ in
        shape.saves ? nil : "nothing in the design saves"
      }
    ],
    severity: .losesData,
    scope: .designs,
    suspects: Suspects(.knownParts, conclusion: .design),
    advice: { _ in
      "leave out the save of a context that the caller has not changed, or edit in a child context that "
        + "nothing else saves: a save takes all changes of its context, also those of other code (SV-03)"
    },
    wording: {
      "\($0.context) gave up \($0.subject) = \($0.first), which \($0.detail ?? "the design") "
        + "had saved"
    })
}
