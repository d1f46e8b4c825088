extension InvariantDefinition {
  static let savesAreMergedOnce = InvariantDefinition(
    "a context merges a save once",
    anomalies: [
      Anomaly("save merged twice") { shape, _ in
        shape.hasFollowers ? nil : "no context merges what others save"
      }
    ],
    severity: .delays,
    scope: .designs,
    suspects: Suspects(.parts, conclusion: .design),
    advice: { _ in
      "leave the merging to automaticallyMergesChangesFromParent, to one observer or to the history, not to "
        + "two of them: each refreshes the objects, and tells lists and observers of them (NT-22, NT-23)"
    },
    wording: {
      "\($0.context) merged what \($0.otherContext ?? "another context") had saved of \($0.subject), twice"
    })
}
