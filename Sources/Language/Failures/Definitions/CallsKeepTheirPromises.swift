extension InvariantDefinition {
  static let callsKeepTheirPromises = InvariantDefinition(
    "an entry point keeps its promises in each of its calls",
    anomalies: [
      Anomaly("broken promise of an entry point") { shape, _ in
        shape.hasCallPromises ? nil : "no entry point declares a promise"
      }
    ],
    severity: .losesData,
    scope: .designs,
    suspects: Suspects(.knownParts, conclusion: .design),
    advice: { _ in
      "to leave a context clean, save it or roll it back in the entry point. To save nothing else, let users edit in a "
        + "child context, because a save includes all changes of its context. To keep a property, check the "
        + "delete rules of what the entry point deletes (SV-03, RL-06, RL-07)"
    },
    wording: { terms in "\(terms.detail ?? terms.sentence) \(terms.subject)" })
}
