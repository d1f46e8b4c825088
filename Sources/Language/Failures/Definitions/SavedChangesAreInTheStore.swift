extension InvariantDefinition {
  static let savedChangesAreInTheStore = InvariantDefinition(
    "what a root save reported is in the store",
    anomalies: [
      Anomaly("lost save") { _, _ in
        "it takes a bug of the framework: a commit that goes through has written its rows"
      }
    ],
    severity: .losesData,
    advice: { _ in nil },
    wording: {
      "\($0.context) reported \($0.subject) as saved; the store has "
        + ($0.values.isEmpty ? "it otherwise" : "\($0.last) and not \($0.first)")
    })
}
