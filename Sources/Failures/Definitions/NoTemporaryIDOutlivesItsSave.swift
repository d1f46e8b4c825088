import Vocabulary

extension InvariantDefinition {
  static let noTemporaryIDOutlivesItsSave = InvariantDefinition(
    "no temporary ID outlives the save of its object",
    anomalies: [
      Anomaly("temporary ID leak", mainSuspect: .quirk(.childKeepsTemporaryID)) { shape, quirks in
        if !quirks.contains(.childKeepsTemporaryID) {
          return "IDs become permanent everywhere at once"
        }
        return shape.hasChildren ? nil : "no context has a parent"
      }
    ],
    severity: .confuses,
    advice: { _ in .obtainPermanentIDsFirst },
    wording: {
      "\($0.subject) is in the store, and \($0.context) still refers to it by its temporary ID"
    })
}
