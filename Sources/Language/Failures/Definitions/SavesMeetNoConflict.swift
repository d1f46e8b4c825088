import Vocabulary

extension InvariantDefinition {
  static let savesMeetNoConflict = InvariantDefinition(
    "no save fails because of a conflict with another context's save",
    anomalies: [
      Anomaly("failed save") { shape, quirks in shape.lackOfFailingSaves(quirks) },
      Anomaly("failed save by the stack", at: .stack) { shape, quirks in
        shape.saves ? shape.lackOfFailingSaves(quirks) : "no observer or entry point saves"
      },
    ],
    severity: .refuses,
    scope: .designs,
    suspects: Suspects(.usual.union([.errorPolicy, .missingMerges]), conclusion: .design),
    advice: { failure in
      failure.cause == .mergePolicy(.error)
        ? "catch the error, \(failure.conflictRepair), and save again. A merge policy would settle the conflict instead, "
          + (failure.isAboutUniqueValues
            ? "but then one of the two objects is deleted (SV-23, MP-26)"
            : "but then one of the two changes is lost without an error (MP-02)")
        : "catch the error of the save: \(failure.conflictRepair), and save again "
          + (failure.isAboutUniqueValues ? "(SV-23)" : "(MP-02)")
    },
    wording: { "\($0.context) could not save \($0.subject): \($0.detail ?? "conflict")" })
}
