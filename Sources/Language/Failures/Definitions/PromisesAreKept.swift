extension InvariantDefinition {
  static let promisesAreKept = InvariantDefinition(
    "every promise of the design is kept",
    anomalies: [
      Anomaly("broken promise") { shape, _ in
        shape.hasPromises ? nil : "the stack declares no promise"
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
        "keep the error policy where the context saves to the store, and check the promise again when a "
          + "save meets a conflict. The policy settles the conflict without a check (MP-02)"
      default:
        "let only one context at a time check and write, on one serial queue. "
          + (rule(failure.subject?.statement).map {
            "Alternatively, express the promise as \($0), which is checked at the save. "
          } ?? "") + "Fetched values are outdated once another context has saved (FE-01)"
      }
    },
    wording: { terms in
      let detail = terms.detail ?? terms.sentence
      if let value = terms.values.last { return "\(detail) \(value)" }
      return terms.subject.isEmpty ? detail : "\(detail) \(terms.subject)"
    })
}

/// Returns the kind of rule by which a model can express the promise, if any.
private func rule(_ statement: FailureSubject.Statement?) -> String? {
  switch statement {
  case .unique: "a uniqueness constraint"
  case .every: "a validation rule or a delete rule"
  default: nil
  }
}
