extension InvariantDefinition {
  static let stepsFindTheirObjects = InvariantDefinition(
    "no step finds that the row of its object, or its store, is gone",
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
        ? "while a store is exchanged, let no context change or save: reset each on its queue once the old "
          + "store is gone, and begin work again after that (PS-07, CS-A7)"
        : "merge deletions before objects are read, and look for an object with existingObject where another "
          + "context may have deleted it (FL-12)"
    },
    wording: { terms in
      "\(terms.step.map { "'\($0)'" } ?? "a step") failed: \(terms.detail ?? "its object is gone")"
    })
}
