import Vocabulary

extension InvariantDefinition {
  static let savedUpdatesAreNotLost = InvariantDefinition(
    "no update is overwritten by a context that has not seen it",
    anomalies: [
      Anomaly("lost update", mainSuspect: .quirk(.childSaveIgnoresMergePolicy)) { shape, _ in
        shape.hasChildren ? nil : "no context has a parent"
      },
      Anomaly("lost update in the store", at: .store) { shape, _ in
        // An increment that a policy discards is lost, too, because both contexts saved the same
        // number.
        shape.lackOfWriters
          ?? shape.lack(
            of: MergePolicy.allCases.filter { $0 != .error }, "no root's policy settles conflicts")
      },
    ],
    severity: .losesData,
    suspects: Suspects(.usual.union(.quirksWithPolicies)),
    advice: { failure in
      failure.site == .store
        ? "keep the error policy where the context saves to the store, and answer the conflict (MP-02)"
        : "refresh the object before the child saves; by most reports no policy is asked between child and "
          + "parent (MP-27)"
    },
    wording: { terms in
      // Two contexts that increment one number save the same value.
      terms.first == terms.last
        ? "\(terms.context) counted \(terms.subject) up to \(terms.last) where another context had "
          + "done so, which it had never seen: one count is lost"
        : "\(terms.context) saved \(terms.last) over \(terms.first), which it had never seen, as "
          + terms.subject
    })
}
