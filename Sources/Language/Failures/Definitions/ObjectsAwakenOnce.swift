import Vocabulary

extension InvariantDefinition {
  static let objectsAwakenOnce = InvariantDefinition(
    "an object is awakened from insert once",
    anomalies: [
      Anomaly("duplicate awakeFromInsert", mainSuspect: .quirk(.parentAwakensInsertedObject)) {
        shape, quirks in
        if !quirks.contains(.parentAwakensInsertedObject) {
          return "only the context that inserts an object awakens it"
        }
        return shape.hasChildren ? nil : "no context has a parent"
      }
    ],
    severity: .confuses,
    advice: { _ in
      "do in awakeFromInsert only what may be done twice, and draw numbers and insert companions where the "
        + "object is inserted; by most reports a child's save runs it again in the parent (LC-02)"
    },
    wording: { "awakeFromInsert ran for \($0.subject) once more, in \($0.context)" })
}
