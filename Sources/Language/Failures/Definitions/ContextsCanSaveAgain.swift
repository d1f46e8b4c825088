extension InvariantDefinition {
  static let contextsCanSaveAgain = InvariantDefinition(
    "a context whose save has failed is put in order before it saves again",
    anomalies: [
      Anomaly("save fails for good") { shape, quirks in shape.lackOfFailingSaves(quirks) }
    ],
    severity: .refuses,
    scope: .designs,
    suspects: Suspects(.usual.union([.errorPolicy, .missingMerges]), conclusion: .design),
    advice: { failure in
      let repair =
        failure.priorEvents.contains(.deletion)
        ? "delete the objects whose rows are gone, refresh the others in conflict"
        : "refresh the objects in conflict, change what has to be unique"
      return
        "after a failed save \(repair), or reset the context: until then every save of them meets the "
        + "conflict again, and a rollback renews no snapshot (MP-29, MP-31)"
    },
    wording: { "\($0.context) failed to save \($0.subject) again: \($0.detail ?? "conflict")" })
}
