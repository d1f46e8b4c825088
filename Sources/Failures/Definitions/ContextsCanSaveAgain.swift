extension InvariantDefinition {
  static let contextsCanSaveAgain = InvariantDefinition(
    "a context whose save has failed is put in order before it saves again",
    anomalies: [Anomaly("save fails for good")],
    scope: .designs,
    suspicion: Suspicion(includesErrorPolicy: true, conclusion: .design),
    advice: { _ in
      "after a failed save roll back, reset, or refresh the objects in conflict: until then every save of the "
        + "context fails in the same way (MP-02)"
    },
    wording: { "\($0.context) failed to save \($0.subject) again: \($0.detail ?? "conflict")" })
}
