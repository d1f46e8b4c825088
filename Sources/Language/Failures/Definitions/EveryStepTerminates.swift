extension InvariantDefinition {
  static let everyStepTerminates = InvariantDefinition(
    "the reactions to a step come to an end",
    anomalies: [
      Anomaly("endless reaction")
    ],
    severity: .stops,
    suspects: Suspects(.usual.union(.model)),
    advice: { _ in
      "make each observer ignore its own changes. In willSave, set a property only if its value differs "
        + "(LC-09)"
    })
}
