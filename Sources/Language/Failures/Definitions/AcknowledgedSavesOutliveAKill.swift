extension InvariantDefinition {
  static let acknowledgedSavesOutliveAKill = InvariantDefinition(
    "a change that is reported as saved survives a kill of the app",
    anomalies: [
      Anomaly("acknowledged save gone") { shape, _ in
        shape.hasChildren
          ? nil : "every save goes directly to a store, and an in-memory store may lose its rows"
      }
    ],
    severity: .losesData,
    scope: .designs,
    // A save further up passes the changes on, so omitting it prevents nothing.
    suspects: Suspects(.partsButSavers, conclusion: .design),
    advice: { _ in
      "report data as saved to the user only after the root context has saved (SV-01)"
    },
    wording: { terms in
      "a save of \(terms.context) reported \(terms.detail.map { $0 + " " } ?? "")\(terms.subject) as saved, "
        + "but the change had reached only \(terms.otherContext ?? "")"
    })
}
