extension InvariantDefinition {
  static let savesDoNotCross = InvariantDefinition(
    "of two overlapping units of work one has seen what the other did",
    anomalies: [
      Anomaly("write skew") { shape, _ in
        shape.hasSiblings ? nil : "no two contexts save to the same parent"
      },
      Anomaly("write skew in the store", at: .store) { shape, _ in
        shape.hasSeveralRoots ? nil : "no two contexts save to the stores"
      },
    ],
    scope: .designs,
    // Whatever settles the conflict of one row, or brings a value on its way: two rows have none.
    suspicion: Suspicion(
      includesQuirks: false, includesMergePolicies: false, includesInterleaving: false,
      parts: .none, conclusion: .design),
    advice: { failure in
      "decide in one context that saves alone"
        + (failure.site == .store
          ? "; or touch the objects that a decision rests on: the error policy then shows the conflict"
          : "")
    },
    wording: {
      "\($0.otherContext ?? "") and \($0.context) each changed what the other had read"
    })
}
