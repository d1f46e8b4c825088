import Vocabulary

extension InvariantDefinition {
  static let savedUpdatesAreNotLost = InvariantDefinition(
    "no save overwrites a change that the saving context has not seen",
    anomalies: [
      Anomaly("lost update", mainSuspect: .quirk(.childSaveIgnoresMergePolicy)) { shape, _ in
        shape.hasChildren ? nil : "no context has a parent"
      },
      Anomaly("lost update in the store", at: .store) { shape, _ in
        // An increment that a policy discards is lost, too, because both contexts saved the same
        // number.
        shape.lackOfWriters
          ?? shape.lack(
            of: MergePolicy.allCases.filter { $0 != .error },
            "no root context has a policy that settles conflicts")
      },
    ],
    severity: .losesData,
    suspects: Suspects(.usual.union(.quirksWithPolicies)),
    advice: { failure in
      let insertion =
        failure.priorEvents.contains(.batchInsertion)
        ? ". If a batch insertion has overwritten the row, name every attribute in its records, or fetch the rows "
          + "that exist and change them: the default overwrites what a record leaves out (FE-28)"
        : ""
      if failure.cause == .mergePolicy(.overwrite) {
        return
          "choose a policy that merges by property: 'overwrite' also saves the values that the context has not "
          + "changed. To keep both changes of one property, keep the error policy and resolve the conflict in code "
          + "(MP-02, MP-10)" + insertion
      }
      return failure.site == .store
        ? "keep the error policy where the context saves to the store, and resolve the conflict in code, or let "
          + "one context write (MP-02)" + insertion
        : "refresh the object before the child saves. According to most reports, a child's save ignores merge "
          + "policies (MP-27)"
    },
    wording: { terms in
      // The unique values of an insertion led it to the row.
      if let detail = terms.detail {
        return
          "\(terms.context) saved \(terms.last) over \(terms.first) as \(terms.subject), \(detail)"
      }
      // Two contexts that count from one number, up or down, save the same value.
      return terms.first == terms.last
        ? "\(terms.context) counted \(terms.subject) to \(terms.last) without having seen that another "
          + "context had counted, too: one count is lost"
        : "\(terms.context) saved \(terms.last) over \(terms.first), which it had never seen, as "
          + terms.subject
    })
}
