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
    scope: .designs,
    suspicion: Suspicion(includesErrorPolicy: true, conclusion: .design),
    advice: { cause, _ in
      cause == .mergePolicy(.error)
        ? "set a merge policy on the context that saves, or catch the error, refresh what is in conflict, and "
          + "save again (MP-02)"
        : "catch the error of the save: refresh or roll back what is in conflict, and save again (MP-02)"
    },
    wording: { "\($0.context) could not save \($0.subject): \($0.detail ?? "conflict")" })
}
