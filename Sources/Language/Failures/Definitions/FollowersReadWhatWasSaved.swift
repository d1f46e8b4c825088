extension InvariantDefinition {
  static let followersReadWhatWasSaved = InvariantDefinition(
    "a context that merges what others save shows no program what it has still to merge",
    anomalies: [
      Anomaly("stale read before a merge") { shape, _ in
        shape.hasFollowers ? nil : "no context merges what others save"
      }
    ],
    severity: .isStale,
    scope: .designs,
    // With or without a quirk, the value is old until the merge arrives.
    suspects: Suspects([.bypasses, .automaticMerges, .missingMerges, .order], conclusion: .design),
    advice: { failure in
      failure.priorEvents.contains(.deletion)
        ? "wait for the merge before the object is used, or look for its row with existingObject first: between "
          + "a save and its merge the context shows what has been deleted (NT-24, SV-25)"
        : "wait for the merge before the value is used, or refresh the object first: between a save and its "
          + "merge the context shows the old value (NT-24, SV-25)"
    },
    wording: { terms in
      terms.values.isEmpty
        ? "\(terms.context) read \(terms.subject) as nil; its row was deleted already"
        : "\(terms.context) showed \(terms.subject) as \(terms.last); \(terms.first) was saved already"
    })
}
