extension InvariantDefinition {
  static let followersReadWhatWasSaved = InvariantDefinition(
    "no program reads outdated data from a context while the merge of a save is pending",
    anomalies: [
      Anomaly("stale read before a merge") { shape, _ in
        shape.hasFollowers ? nil : "no context merges the saves of other contexts"
      }
    ],
    severity: .isStale,
    scope: .designs,
    // With or without a quirk, the value is old until the merge arrives.
    suspects: Suspects([.bypasses, .automaticMerges, .missingMerges, .order], conclusion: .design),
    advice: { failure in
      failure.priorEvents.contains(.deletion)
        ? "wait for the merge before using the object, or first look for its row with existingObject. Between "
          + "a save and its merge, the context still shows deleted objects (NT-24, SV-25)"
        : "wait for the merge before using the value, or refresh the object first. Between a save and its "
          + "merge, the context shows the old value (NT-24, SV-25)"
    },
    wording: { terms in
      terms.values.isEmpty
        ? "\(terms.context) read \(terms.subject) as nil; its row had already been deleted"
        : "\(terms.context) showed \(terms.subject) as \(terms.last); \(terms.first) had already been saved"
    })
}
