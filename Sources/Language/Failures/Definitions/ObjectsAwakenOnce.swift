import Vocabulary

extension InvariantDefinition {
  static let objectsAwakenOnce = InvariantDefinition(
    "awakeFromInsert runs once for each object",
    anomalies: [
      Anomaly("duplicate awakeFromInsert", mainSuspect: .quirk(.parentAwakensInsertedObject)) {
        shape, quirks in
        if !quirks.contains(.parentAwakensInsertedObject) {
          return "awakeFromInsert runs only in the inserting context"
        }
        return shape.hasChildren ? nil : "no context has a parent"
      }
    ],
    severity: .confuses,
    advice: { _ in
      "do only repeatable work in awakeFromInsert. Assign numbers and insert related objects in the code that "
        + "inserts the object. According to most reports, a child's save runs awakeFromInsert again in the "
        + "parent (LC-02)"
    },
    wording: { "awakeFromInsert ran again for \($0.subject), in \($0.context)" })
}
