extension InvariantDefinition {
  static let savesReachAStore = InvariantDefinition(
    "a save by a part of the design reaches a store, at the latest when everything is at rest",
    anomalies: [
      Anomaly("save left in a parent") { shape, _ in
        shape.savesChildren ? nil : "no part of the design saves a context that has a parent"
      }
    ],
    severity: .losesData,
    scope: .designs,
    suspects: Suspects(.knownParts, conclusion: .design),
    advice: { _ in
      "save the parent, too, and each context above it: a child's save goes one level up (SV-01)"
    },
    wording: { terms in
      "\(terms.context) has saved \(terms.detail.map { $0 + " " } ?? "")\(terms.subject) to "
        + "\(terms.otherContext ?? ""), which nothing has saved after that"
    })
}
