extension InvariantDefinition {
  static let readsAreRepeatable = InvariantDefinition(
    "between two saves, repeated reads of a property return the same value",
    anomalies: [
      Anomaly("non-repeatable read") { shape, _ in
        shape.isOneContextUnobserved
          ? "there is only one context, and no observer" : nil
      }
    ],
    severity: .isStale,
    scope: .designs,
    // A policy decides whether a save succeeds, not whether the context shows the saved value. The
    // order of steps between two reads is no cause either, because such steps always have some
    // order.
    suspects: Suspects([.quirks, .bypasses, .parts], conclusion: .design),
    advice: { failure in
      failure.cause == .design
        ? "read in a context into which no child saves, or copy all related values at once"
        : "read related values in one block, from a context that merges nothing in the meantime"
    },
    wording: {
      $0.values.count == 2
        ? "\($0.context) showed \($0.subject) as \($0.first) and then as \($0.last)"
        : "\($0.context) showed \($0.subject) with different members than before"
    })
}
