extension InvariantDefinition {
  static let failedSavesLeaveNothing = InvariantDefinition(
    "no save of the design fails because of values that an earlier failed save left behind",
    anomalies: [
      Anomaly("poisoned context") { shape, _ in
        shape.saves ? nil : "no observer or entry point saves"
      }
    ],
    severity: .refuses,
    scope: .designs,
    suspects: Suspects(.knownParts, conclusion: .design),
    advice: { _ in
      "when a save fails, correct the values, or roll back or reset the context, before other code uses the context. A "
        + "failed save leaves all changes pending, and they make every later save fail (SV-18, SV-19)"
    },
    wording: { terms in
      let value = terms.values.first.map { " = \($0)" } ?? ""
      return
        "\(terms.context) could not save other changes, because an earlier save had failed for "
        + "\(terms.subject)\(value) and left this change pending (\(terms.detail ?? "error"))"
    })
}
