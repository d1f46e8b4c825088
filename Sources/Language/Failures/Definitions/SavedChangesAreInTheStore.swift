extension InvariantDefinition {
  static let savedChangesAreInTheStore = InvariantDefinition(
    "the store contains every change that a root save reported as saved",
    anomalies: [
      Anomaly("lost save") { _, _ in
        "it requires a bug in Core Data, because a successful commit has written its rows"
      }
    ],
    severity: .losesData,
    advice: { _ in nil },
    wording: {
      "\($0.context) reported \($0.subject) as saved; the store "
        + ($0.values.isEmpty ? "differs" : "has \($0.last) instead of \($0.first)")
    })
}
