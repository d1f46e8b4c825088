extension InvariantDefinition {
  static let everyStepTerminates = InvariantDefinition(
    "what a step sets off comes to rest",
    anomalies: [
      Anomaly("endless reaction") { shape, _ in
        shape.hasObservers ? nil : "the stack has no observers"
      }
    ],
    severity: .stops,
    advice: { _ in "let an observer tell its own changes from others', and not react to them" })
}
