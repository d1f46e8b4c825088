extension InvariantDefinition {
  static let killsLeaveWhatWasCommitted = InvariantDefinition(
    "after a kill, the stores contain every completed root save in full",
    anomalies: [
      Anomaly("torn store") { _, _ in
        "it requires a bug in Core Data, because a commit is written completely or not at all"
      }
    ],
    severity: .losesData,
    scope: .designs,
    suspects: Suspects(.parts, conclusion: .design),
    advice: { _ in nil },
    wording: {
      $0.values.count == 2
        ? "\($0.subject) was saved as \($0.first); the store has \($0.last)"
        : "the row of \($0.subject) differs from the saved row"
    })
}
