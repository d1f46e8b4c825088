extension InvariantDefinition {
  static let readsDeleteNothing = InvariantDefinition(
    "no read deletes its object because the row is missing",
    anomalies: [
      Anomaly("object deleted by being read") { shape, quirks in
        shape.lackOfDeletingReads(quirks)
      },
      Anomaly("object deleted by being read by the stack", at: .stack) { shape, quirks in
        shape.lackOfDeletingReads(quirks)
      },
    ],
    severity: .confuses,
    scope: .designs,
    // Steps that save an object, or bring it before it is read, are no reason to read it.
    suspects: Suspects([.bypasses, .ownSteps, .missingMerges, .order], conclusion: .design),
    advice: { _ in
      "merge deletions before reading objects, and use existingObject where another context may have deleted "
        + "the object. A fault without a row returns nil even for required properties, and counts as deleted "
        + "from then on (FL-14)"
    },
    wording: {
      let isOwn = $0.otherContext == $0.context
      let deleter = isOwn ? "the same context" : $0.otherContext ?? "another context"
      return
        "\($0.context) read \($0.subject) after \(deleter) had deleted its row: the object returns nil "
        + "and counts as deleted"
    })
}
