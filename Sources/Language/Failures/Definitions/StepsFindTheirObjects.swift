extension InvariantDefinition {
  static let stepsFindTheirObjects = InvariantDefinition(
    "no step fails because the row or the store of its object is missing",
    anomalies: [
      Anomaly("raised error") { shape, quirks in shape.lackOfRaisingFaults(quirks) },
      Anomaly("raised error by the stack", at: .stack),
    ],
    severity: .stops,
    scope: .designs,
    suspects: Suspects(
      [.quirks, .bypasses, .storeTakers, .partsButSavers, .missingMerges, .order],
      conclusion: .design),
    advice: { failure in
      failure.priorEvents.contains(.storeRemoval)
        ? "while a store is replaced, let no context change objects or save. After the old store is removed, "
          + "reset each context on its queue, and only then resume work (PS-07, CS-A7)"
        : "merge deletions before reading objects, and use existingObject where another context may have "
          + "deleted the object (FL-12)"
    },
    wording: { terms in
      "\(terms.step.map { "'\($0)'" } ?? "a step") failed: \(terms.detail ?? "its object is gone")"
    })
}
