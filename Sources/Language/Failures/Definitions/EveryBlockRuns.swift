extension InvariantDefinition {
  static let everyBlockRuns = InvariantDefinition(
    "every enqueued block runs",
    anomalies: [Anomaly("lost block")],
    severity: .stops,
    advice: { _ in nil })
}
