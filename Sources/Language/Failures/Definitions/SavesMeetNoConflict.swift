import Vocabulary

extension InvariantDefinition {
  static let savesMeetNoConflict = InvariantDefinition(
    "no save fails by a conflict with what another context has saved",
    anomalies: [
      Anomaly("failed save") { shape, quirks in shape.lackOfFailingSaves(quirks) },
      Anomaly("failed save by the stack", at: .stack) { shape, quirks in
        shape.saves ? shape.lackOfFailingSaves(quirks) : "none of the stack's own steps saves"
      },
    ],
    severity: .refuses,
    scope: .designs,
    suspects: Suspects(.usual.union([.errorPolicy, .missingMerges]), conclusion: .design),
    advice: { failure in
      // A refresh does not restore a deleted row.
      let repair =
        failure.priorEvents.contains(.deletion)
        ? "delete what is in conflict where its row is gone, refresh it otherwise"
        : "refresh what is in conflict, or change what has to be unique"
      return failure.cause == .mergePolicy(.error)
        ? "catch the error, \(repair), and save again; a merge policy settles the conflict instead, "
          + "and one of the two changes is lost without an error (MP-02)"
        : "catch the error of the save: \(repair), or roll back, and save again (MP-02)"
    },
    wording: { "\($0.context) could not save \($0.subject): \($0.detail ?? "conflict")" })
}
