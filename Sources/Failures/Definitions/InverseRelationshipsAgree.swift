extension InvariantDefinition {
  static let inverseRelationshipsAgree = InvariantDefinition(
    "inverse relationships agree",
    anomalies: [Anomaly("broken inverse")],
    advice: { _, _ in
      "set relationships by their accessors, and delete no rows behind the contexts (RL-01, FE-17)"
    },
    wording: {
      "\($0.subject) and its inverse do not agree\($0.context.isEmpty ? "" : " in \($0.context)")"
    })
}
