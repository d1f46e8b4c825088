extension InvariantDefinition {
  static let savesReachAStore = InvariantDefinition(
    "at rest, every save by a part of the design has reached a store",
    anomalies: [
      Anomaly("save left in a parent") { shape, _ in
        shape.savesChildren ? nil : "no part of the design saves a context that has a parent"
      }
    ],
    severity: .losesData,
    scope: .designs,
    suspects: Suspects(.knownParts, conclusion: .design),
    advice: { _ in
      "also save the parent and each context above it, because a child's save reaches only its parent (SV-01)"
    },
    wording: { terms in
      "\(terms.context) has saved \(terms.detail.map { $0 + " " } ?? "")\(terms.subject) to "
        + "\(terms.otherContext ?? ""), which was not saved after that"
    })
}
