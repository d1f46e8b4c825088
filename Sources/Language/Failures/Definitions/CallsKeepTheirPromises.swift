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
    advice: { failure in
      switch failure.subject?.statement {
      case .savesOnly:
        "let programs edit only in contexts that the entry point may save. A save includes all changes of its context, "
          + "whichever code made them (SV-03)"
      case .keeps:
        "check what the entry point sets, and the delete rules of what it deletes (RL-06, RL-07)"
      default:
        "save the context or roll it back in the entry point, in every way in which a call can end"
      }
    },
    wording: { terms in "\(terms.detail ?? terms.sentence) \(terms.subject)" })
}
