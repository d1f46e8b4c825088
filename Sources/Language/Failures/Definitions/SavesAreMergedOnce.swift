extension InvariantDefinition {
  static let savesAreMergedOnce = InvariantDefinition(
    "a context merges each save only once",
    anomalies: [
      Anomaly("save merged twice") { shape, _ in
        shape.hasFollowers ? nil : "no context merges the saves of other contexts"
      }
    ],
    severity: .delays,
    scope: .designs,
    suspects: Suspects(.parts, conclusion: .design),
    advice: { _ in
      "let only one of automaticallyMergesChangesFromParent, an observer and the persistent history merge a "
        + "save. Each merge refreshes the objects and notifies lists and observers (NT-22, NT-23)"
    },
    wording: {
      "\($0.context) merged the save of \($0.subject) by \($0.otherContext ?? "another context") twice"
    })
}
