extension InvariantDefinition {
  static let contextsCanSaveAgain = InvariantDefinition(
    "after a failed save, a context resolves the conflict before it saves again",
    anomalies: [
      Anomaly("save fails for good") { shape, quirks in shape.lackOfFailingSaves(quirks) }
    ],
    severity: .refuses,
    scope: .designs,
    suspects: Suspects(.usual.union([.errorPolicy, .missingMerges]), conclusion: .design),
    advice: { failure in
      let repair =
        failure.priorEvents.contains(.deletion)
        ? "roll the context back, refresh the conflicting objects, delete those whose rows are gone, and make the "
          + "edits that still apply again"
        : "refresh the conflicting objects or change values that must be unique"
      return
        "after a failed save, \(repair), or reset the context. Until then, every save of these objects "
        + "meets the same conflict, and a rollback does not renew snapshots (MP-29, MP-31)"
    },
    wording: { "\($0.context) failed to save \($0.subject) again: \($0.detail ?? "conflict")" })
}
