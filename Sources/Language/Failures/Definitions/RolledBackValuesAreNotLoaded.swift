extension InvariantDefinition {
  static let rolledBackValuesAreNotLoaded = InvariantDefinition(
    "no context keeps a value that an ancestor has rolled back",
    anomalies: [
      Anomaly("aborted read") { shape, _ in shape.hasChildren ? nil : "no context has a parent" }
    ],
    severity: .losesData,
    scope: .everyStackAndMoreForDesigns,
    // The program chooses whether the child reads before the parent rolls back. A rollback that no
    // part of the design makes is the program's own, whatever lets the child keep the value.
    suspects: Suspects([.bypasses, .knownParts], conclusion: .program),
    advice: { _ in
      "reset or discard the children of a context that is rolled back, or roll back only contexts without children"
    },
    wording: { terms in
      terms.otherContext.map {
        "\(terms.context) had read \(terms.first) as \(terms.subject), which \($0) discarded"
      } ?? "\(terms.context) loaded \(terms.first) as \(terms.subject), which had been rolled back"
    })
}
