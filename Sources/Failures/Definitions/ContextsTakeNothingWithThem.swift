extension InvariantDefinition {
  static let contextsTakeNothingWithThem = InvariantDefinition(
    "a context that is given up, or that an observer resets, has nothing unsaved",
    anomalies: [
      Anomaly("unsaved changes discarded") { shape, _ in
        shape.discardsContexts
          ? nil : "no context is ever thrown away, or reset by an observer"
      },
      Anomaly("unsaved changes discarded by the stack", at: .stack) { shape, _ in
        shape.givesUpChanges ? nil : "none of the stack's own steps gives up what there is"
      },
    ],
    severity: .losesData,
    scope: .designs,
    suspects: Suspects(.parts.union(.ownSteps), conclusion: .program),
    advice: { _ in
      "save, or ask the user, before a context is given up or reset, and look whether the save went "
        + "through: keep the context if it did not; roll it back first if the changes are to go"
    },
    wording: { "\($0.context) was given up, or reset, with unsaved changes" })
}
