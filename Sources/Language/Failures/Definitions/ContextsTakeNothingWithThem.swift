extension InvariantDefinition {
  static let contextsTakeNothingWithThem = InvariantDefinition(
    "a context that is given up, or that the design resets or refreshes, has nothing unsaved",
    anomalies: [
      Anomaly("unsaved changes discarded") { shape, _ in
        shape.discardsContexts
          ? nil : "no context is ever thrown away, or reset by an observer"
      },
      Anomaly("unsaved changes discarded by the stack", at: .stack) { shape, _ in
        shape.givesUpChanges || shape.refreshesObjects
          ? nil : "none of the stack's own steps gives up what there is"
      },
    ],
    severity: .losesData,
    scope: .designs,
    suspects: Suspects(.parts.union(.ownSteps), conclusion: .program),
    advice: { failure in
      failure.site == .stack && failure.priorEvents.contains(.refresh)
        ? "refresh with mergeChanges, which keeps what is not saved, or only objects without changes, and look whether "
          + "the save before it went through (FL-02)"
        : failure.site == .stack && failure.priorEvents.contains(.rollback)
          ? "roll back no more than the context whose save has failed, and give each piece of work a child context "
            + "of its own: a rollback takes back all that its context has not saved (SV-18)"
          : "save, or ask the user, before a context is given up or reset, and look whether the save went "
            + "through: keep the context if it did not; roll it back first if the changes are to go"
    },
    wording: { terms in
      terms.step.map { "'\($0)' drops what \(terms.context) has changed and not saved" }
        ?? "\(terms.context) was given up, or reset, with unsaved changes"
    })
}
