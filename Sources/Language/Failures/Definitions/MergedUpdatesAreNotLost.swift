extension InvariantDefinition {
  static let mergedUpdatesAreNotLost = InvariantDefinition(
    "no save overwrites a merged update with an older edit",
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
      "when a merge updates an object with unsaved edits (NSRefreshedObjectsKey), compare or refresh the "
        + "object before saving it. The merge keeps the edit, so the save meets no conflict"
    },
    wording: { terms in
      let other = terms.otherContext ?? ""
      return terms.first == terms.last
        ? "\(terms.context) and \(other) both set \(terms.subject) to \(terms.last), and a merge hid the conflict"
        : "\(terms.context) saved its edit of \(terms.subject), \(terms.last), over \(terms.first) of \(other): a merge "
          + "had kept the edit and hidden the conflict"
    })
}
