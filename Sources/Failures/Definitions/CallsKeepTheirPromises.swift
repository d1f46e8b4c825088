extension InvariantDefinition {
  static let callsKeepTheirPromises = InvariantDefinition(
    "an entry point keeps its promises in each of its calls",
    anomalies: [
      Anomaly("broken promise of an entry point") { shape, _ in
        shape.hasCallPromises ? nil : "no entry point promises anything"
      }
    ],
    severity: .losesData,
    scope: .designs,
    suspects: Suspects(.knownParts, conclusion: .design),
    advice: { _ in
      "save every context that the entry point is to finish, whatever its callers have changed there, and edit in "
        + "a child context what is not to be saved: a save takes all changes of its context (SV-03)"
    },
    wording: { terms in "\(terms.detail ?? terms.sentence) \(terms.subject)" })
}
