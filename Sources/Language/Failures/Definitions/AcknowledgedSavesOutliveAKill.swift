extension InvariantDefinition {
  static let acknowledgedSavesOutliveAKill = InvariantDefinition(
    "what a save reported as saved outlives a kill",
    anomalies: [
      Anomaly("acknowledged save gone") { shape, _ in
        shape.hasChildren
          ? nil : "every save goes to its store, and that a store is in memory is no secret"
      }
    ],
    severity: .losesData,
    scope: .designs,
    // A save further up passes the changes on, so omitting it prevents nothing.
    suspects: Suspects(.partsButSavers, conclusion: .design),
    advice: { _ in "tell the user that something is saved once the root has saved (SV-01)" },
    wording: { terms in
      "\(terms.context) was told that \(terms.detail.map { $0 + " " } ?? "")\(terms.subject) is saved; it had got to "
        + "\(terms.otherContext ?? "") and no further"
    })
}
