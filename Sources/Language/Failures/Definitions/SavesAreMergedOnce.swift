extension InvariantDefinition {
  static let savesAreMergedOnce = InvariantDefinition(
    "a context merges no save twice, and neither its own saves nor its children's",
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
        ? "leave out the saves of the merging context and of its children. The context has their changes, and a merge "
          + "refreshes its objects and notifies lists and observers (SV-02)"
        : "let only one of automaticallyMergesChangesFromParent, an observer and the persistent history merge a "
          + "save. Each merge refreshes the objects and notifies lists and observers (NT-22, NT-23)"
    },
    wording: { terms in
      if let save = terms.detail { return "\(terms.context) merged \(save) of \(terms.subject)" }
      let saver = terms.otherContext ?? "another context"
      return "\(terms.context) merged the save of \(terms.subject) by \(saver) twice"
    })
}
