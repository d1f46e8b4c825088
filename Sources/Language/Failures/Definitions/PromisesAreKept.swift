extension InvariantDefinition {
  static let promisesAreKept = InvariantDefinition(
    "a promise of the design is kept",
    anomalies: [
      Anomaly("broken promise") { shape, _ in
        shape.hasPromises ? nil : "the stack promises nothing"
      }
    ],
    severity: .losesData,
    scope: .designs,
    // The entry points that save take part in every breach. Their order is the cause.
    suspects: Suspects(
      [
        .quirks, .policies, .ownPolicies, .bypasses, .model, .automaticMerges, .observers, .order,
        .missingMerges,
      ], conclusion: .design, namedPart: .none),
    advice: { failure in
      switch failure.cause {
      case .mergePolicy, .mergePolicies:
        "keep the error policy where the context saves to the store, and look again at what is "
          + "promised when a save meets a conflict: the policy settles it unseen (MP-02)"
      default:
        "let one context at a time look and write, on one serial queue, or let a uniqueness constraint, a validation "
          + "rule or a delete rule ask at the save itself, where it can say the same: what a context has looked up is old "
          + "when another one has saved meanwhile (FE-01)"
      }
    },
    wording: { terms in
      let detail = terms.detail ?? terms.sentence
      if let value = terms.values.last { return "\(detail) \(value)" }
      return terms.subject.isEmpty ? detail : "\(detail) \(terms.subject)"
    })
}
