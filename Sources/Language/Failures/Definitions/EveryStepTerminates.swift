extension InvariantDefinition {
  static let everyStepTerminates = InvariantDefinition(
    "what a step sets off comes to rest",
    anomalies: [
      Anomaly("endless reaction")
    ],
    severity: .stops,
    suspects: Suspects(.usual.union(.model)),
    advice: { _ in
      "let an observer tell its own changes from others', and not react to them; in willSave, set only what has "
        + "another value (LC-09)"
    })
}
