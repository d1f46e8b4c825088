extension InvariantDefinition {
  static let savesAreMergedOnce = InvariantDefinition(
    "a context merges each save only once, and only saves that bring it something",
    anomalies: [
      Anomaly("save merged twice") { shape, _ in
        shape.hasFollowers ? nil : "no context merges the saves of other contexts"
      },
      Anomaly("own save merged", at: .stack),
    ],
    severity: .delays,
    scope: .designs,
    suspects: Suspects(.parts, conclusion: .design),
    advice: { failure in
      failure.site == .stack
        ? "let the observer merge only saves of other contexts that are no children of this one. A merge refreshes "
          + "objects, though the context has the changes of its own saves and of its children's saves (SV-02)"
        : "let only one of automaticallyMergesChangesFromParent, an observer and the persistent history merge a "
          + "save. Each merge refreshes the objects and notifies lists and observers (NT-22, NT-23)"
    },
    wording: { terms in
      if let save = terms.detail { return "\(terms.context) merged \(save) of \(terms.subject)" }
      let saver = terms.otherContext ?? "another context"
      return "\(terms.context) merged the save of \(terms.subject) by \(saver) twice"
    })
}
