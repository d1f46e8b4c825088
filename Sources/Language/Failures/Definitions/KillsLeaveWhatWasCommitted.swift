extension InvariantDefinition {
  static let killsLeaveWhatWasCommitted = InvariantDefinition(
    "the stores have the completed root saves, each whole, after a kill as before",
    anomalies: [
      Anomaly("torn store") { _, _ in
        "it takes a bug of the framework: a commit is written as a whole or not at all"
      }
    ],
    severity: .losesData,
    scope: .designs,
    suspects: Suspects(.parts, conclusion: .design),
    advice: { _ in nil },
    wording: {
      $0.values.count == 2
        ? "\($0.subject) was saved as \($0.first); the store has \($0.last)"
        : "the row of \($0.subject) is not as it had been saved"
    })
}
