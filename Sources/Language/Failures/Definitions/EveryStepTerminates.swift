extension InvariantDefinition {
  static let everyStepTerminates = InvariantDefinition(
    "the reactions to a step come to an end",
    anomalies: [
      Anomaly("endless reaction")
    ],
    severity: .stops,
    suspects: Suspects(.usual.union(.model)),
    advice: { failure in
      failure.cause == .willSave
        ? "in willSave, set a property only if its value differs (LC-09)"
        : "make each observer ignore its own changes. In willSave, set a property only if its value differs "
          + "(LC-09)"
    })
}
