extension InvariantDefinition {
  static let copiesAtRestAreCurrent = InvariantDefinition(
    "at rest, what a context shows of an object is what the store has",
    anomalies: [
      Anomaly("stale copy") { shape, _ in
        shape.isOneContextUnobserved ? "no other context saves" : nil
      },
      Anomaly("stale copy in a following context", at: .stack),
    ],
    scope: .designs,
    suspicion: Suspicion(includesMergePolicies: false, conclusion: .design),
    advice: { _ in
      "merge each save into every context that goes on using its objects: a realised object keeps its values "
        + "until it is refreshed or merged (SV-25, NT-17)"
    },
    wording: { terms in
      terms.values.isEmpty
        ? "\(terms.context) still shows \(terms.subject), whose row is gone"
        : "\(terms.context) still shows \(terms.subject) as \(terms.last); the store has \(terms.first)"
    })
}
