import Vocabulary

extension InvariantDefinition {
  static let noTemporaryIDOutlivesItsSave = InvariantDefinition(
    "no temporary ID outlives the save of its object",
    anomalies: [
      Anomaly("temporary ID leak", mainSuspect: .quirk(.childKeepsTemporaryID)) { shape, quirks in
        if !quirks.contains(.childKeepsTemporaryID) {
          return "IDs become permanent in all contexts at once"
        }
        return shape.hasChildren ? nil : "no context has a parent"
      },
      Anomaly("temporary ID leak by the stack", at: .stack) { shape, _ in
        shape.remembersIDs ? nil : "no observer or entry point remembers IDs"
      },
    ],
    severity: .confuses,
    suspects: Suspects(.usual.union(.ownSteps)),
    advice: { failure in
      failure.site == .stack
        ? "remember IDs only after the save, or call obtainPermanentIDs first, because other contexts cannot "
          + "resolve a temporary ID (ID-31)" : .obtainPermanentIDsFirst
    },
    wording: { terms in
      let by = terms.step.map { ", in '\($0)'," } ?? " still"
      return
        "\(terms.subject) is in the store, and \(terms.context)\(by) refers to it by its temporary ID"
    })
}
