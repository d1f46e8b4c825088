extension InvariantDefinition {
  static let inverseRelationshipsAgree = InvariantDefinition(
    "inverse relationships agree",
    anomalies: [Anomaly("broken inverse")],
    severity: .losesData,
    advice: { failure in
      failure.priorEvents.contains(.batchRequest)
        ? "delete no rows with batch requests, which bypass the contexts (FE-17)"
        : "set relationships through their accessors (RL-01)"
    },
    wording: {
      "\($0.subject) and its inverse do not agree\($0.context.isEmpty ? "" : " in \($0.context)")"
    })
}
