extension InvariantDefinition {
  static let contextsTakeNothingWithThem = InvariantDefinition(
    "a context has no unsaved changes when it is discarded, or when the design resets or refreshes it",
    anomalies: [
      Anomaly("unsaved changes discarded") { shape, _ in
        shape.discardsContexts
          ? nil : "no context is discarded, or reset by an observer"
      },
      Anomaly("unsaved changes discarded by the stack", at: .stack) { shape, _ in
        shape.givesUpChanges || shape.refreshesObjects
          ? nil : "no observer or entry point discards unsaved changes"
      },
    ],
    severity: .losesData,
    scope: .designs,
    suspects: Suspects(.parts.union(.ownSteps), conclusion: .program),
    advice: { failure in
      failure.site == .stack && failure.priorEvents.contains(.refresh)
        ? "refresh with mergeChanges, which keeps unsaved changes, or refresh only objects without changes. Check that "
          + "the save before the refresh succeeded (FL-02)"
        : failure.site == .stack && failure.priorEvents.contains(.rollback)
          ? "roll back only the context whose save has failed, and give each piece of work its own child context, "
            + "because a rollback discards all unsaved changes of its context (SV-18)"
          : "save, or ask the user, before discarding or resetting a context, and check that the save succeeded. "
            + "Keep the context if the save failed. To discard the changes on purpose, roll the context back first"
    },
    wording: { terms in
      terms.step.map { "'\($0)' discards unsaved changes of \(terms.context)" }
        ?? "\(terms.context) was discarded or reset with unsaved changes"
    })
}
