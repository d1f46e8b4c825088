extension InvariantDefinition {
  static let stepsFindTheirObjects = InvariantDefinition(
    "no step finds that the row of its object is gone",
    anomalies: [
      Anomaly("raised error") { shape, quirks in shape.lackOfRaisingFaults(quirks) },
      Anomaly("raised error by the stack", at: .stack),
    ],
    scope: .designs,
    suspicion: Suspicion(conclusion: .design),
    advice: { _, _ in
      "merge deletions before objects are read, and look for an object with existingObject where another "
        + "context may have deleted it (FL-12)"
    },
    wording: { terms in
      "\(terms.step.map { "'\($0)'" } ?? "a step") failed: \(terms.detail ?? "its object is gone")"
    })
}
