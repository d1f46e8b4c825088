extension InvariantDefinition {
  static let everyBlockRuns = InvariantDefinition(
    "every enqueued block runs",
    anomalies: [Anomaly("lost block")],
    advice: { _ in nil })
}
