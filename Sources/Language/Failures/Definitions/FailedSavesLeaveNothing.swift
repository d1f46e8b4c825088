extension InvariantDefinition {
  static let failedSavesLeaveNothing = InvariantDefinition(
    "no save of the design fails for values that an earlier failed save has left",
    anomalies: [
      Anomaly("poisoned context") { shape, _ in
        shape.saves ? nil : "nothing in the design saves"
      }
    ],
    severity: .refuses,
    scope: .designs,
    suspects: Suspects(.knownParts, conclusion: .design),
    advice: { _ in
      "when a save fails, repair the values, or roll the context back or reset it, before other work goes on there: a "
        + "failed save leaves all changes pending, and they fail every later save (SV-18, SV-19)"
    },
    wording: { terms in
      let value = terms.values.first.map { " = \($0)" } ?? ""
      return
        "\(terms.context) could not save other changes, because an earlier save had failed for "
        + "\(terms.subject)\(value) and left it there (\(terms.detail ?? "error"))"
    })
}
