extension InvariantDefinition {
  static let mergedUpdatesAreNotLost = InvariantDefinition(
    "no update that a merge brings is overwritten by an edit from before it",
    anomalies: [
      Anomaly("lost update through a merge") { shape, _ in
        shape.hasChildren ? nil : "no context has a parent"
      },
      Anomaly("lost update through a merge in the store", at: .store) { shape, _ in
        shape.lackOfWriters
      },
    ],
    severity: .losesData,
    scope: .designs,
    suspects: Suspects(
      [.bypasses, .parts, .order], programs: [.merges], conclusion: .design, namedPart: .merger),
    advice: { _ in
      "when a merge touches an object with unsaved edits (NSRefreshedObjectsKey), compare or refresh it "
        + "before it is saved: the merge keeps the edit, and the save then meets no conflict"
    },
    wording: { terms in
      let other = terms.otherContext ?? ""
      return terms.first == terms.last
        ? "\(terms.context) and \(other) both made \(terms.subject) \(terms.last), and a merge made one of it"
        : "\(terms.context) saved its edit of \(terms.subject), \(terms.last), over \(terms.first) of \(other): a merge "
          + "had kept the edit, and no conflict was left to stop it"
    })
}
