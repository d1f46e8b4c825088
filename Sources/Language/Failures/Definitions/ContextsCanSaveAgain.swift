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
      "after a failed save, \(failure.conflictRepair), or reset the context. Until then, every save of these objects "
        + (failure.isAboutUniqueValues
          ? "meets the same conflict (SV-23)"
          : "meets the same conflict, and a rollback does not renew snapshots (MP-29, MP-31)")
    },
    wording: { "\($0.context) failed to save \($0.subject) again: \($0.detail ?? "conflict")" })
}
