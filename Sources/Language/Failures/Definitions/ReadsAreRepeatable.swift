extension InvariantDefinition {
  static let readsAreRepeatable = InvariantDefinition(
    "what a context shows twice between two saves is the same",
    anomalies: [
      Anomaly("non-repeatable read") { shape, _ in
        shape.isOneContextUnobserved
          ? "there is one context, and nothing else changes what it shows" : nil
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
        ? "read in a context into which no child saves, or take what belongs together into values at once"
        : "read what belongs together in one block, from a context that merges nothing meanwhile"
    },
    wording: {
      $0.values.count == 2
        ? "\($0.context) showed \($0.subject) as \($0.first) and then as \($0.last)"
        : "\($0.context) showed \($0.subject) with other members than before"
    })
}
