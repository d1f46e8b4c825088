extension InvariantDefinition {
  static let readsDeleteNothing = InvariantDefinition(
    "no read of an object finds its row gone, and deletes the object",
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
      "merge deletions before objects are read, and look for an object with existingObject where another "
        + "context may have deleted it: a fault without a row reads nil, whatever the model says, and "
        + "counts as deleted from then on (FL-14)"
    },
    wording: {
      let deleter = $0.otherContext == $0.context ? "it" : $0.otherContext ?? "another context"
      return
        "\($0.context) read \($0.subject) after \(deleter) had deleted its row: it reads nil, and "
        + "counts as deleted"
    })
}
