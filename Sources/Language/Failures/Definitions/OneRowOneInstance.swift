import Vocabulary

extension InvariantDefinition {
  static let oneRowOneInstance = InvariantDefinition(
    "a context has at most one instance for each row",
    anomalies: [
      Anomaly("two instances for one row", mainSuspect: .quirk(.rowHasTwoInstances)) {
        shape, quirks in
        if !quirks.contains(.rowHasTwoInstances) {
          return "the temporary and the permanent ID of a row lead to the same instance"
        }
        return shape.hasChildren ? nil : "no context has a parent"
      }
    ],
    severity: .confuses,
    advice: { _ in .obtainPermanentIDsFirst },
    wording: { "\($0.context) has two instances for the row of \($0.subject)" })
}
