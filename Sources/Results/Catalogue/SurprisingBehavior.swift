/// A behaviour of Core Data's context trees that most developers do not expect, and a scenario that
/// shows it.
package struct SurprisingBehavior: Sendable {
  /// The name of the scenario.
  package let scenario: String
  package let statement: String
  /// The facts that the scenario cites and that state the behaviour.
  package let facts: [FactID]
  package let advice: String
  /// The advice as Swift code.
  package let code: String

  private init(
    _ statement: String, scenario: String, facts: String..., advice: String, code: String
  ) {
    self.statement = statement
    self.scenario = scenario
    self.facts = facts.map { word in
      guard let id = FactID(word) else { preconditionFailure("\(word) is not the ID of a fact") }
      return id
    }
    self.advice = advice
    self.code = code
  }

  /// The behaviours on the first page of the book of scenarios. Lost data comes first.
  package static let all = [
    SurprisingBehavior(
      "A child's save overwrites an unsaved value of its parent that the child has never read, without a conflict or an error.",
      scenario: "childs-edit-replaces-the-parents-draft", facts: "SV-05", "SV-07",
      advice:
        "Do not edit in a context that its children save into. Otherwise refresh the child's object before you set a value, and compare.",
      code: """
        child.refresh(note, mergeChanges: false)
        if note.title == titleSeen { note.title = newTitle }
        """),
    SurprisingBehavior(
      "A child's save reaches no store. Its changes are lost if the app is killed before every context above has saved.",
      scenario: "saved-and-killed", facts: "SV-01",
      advice: "Save every context up to the root before you report success.",
      code: """
        try await child.perform { try child.save() }
        try await parent.perform { try parent.save() }
        """),
    SurprisingBehavior(
      "Under the overwrite merge policy, a save reverts another context's change to an attribute that the saving context never set.",
      scenario: "other-field-is-reverted-under-overwrite", facts: "MP-10",
      advice: "Choose a policy that merges by property.",
      code: "context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump"),
    SurprisingBehavior(
      "One object that cannot be saved makes every later save of its context fail, until it is repaired, rolled back or deleted.",
      scenario: "poisoned-context", facts: "SV-19",
      advice:
        "Handle the error of each save. Repair or delete the object that the error names, because a rollback also discards valid changes.",
      code: """
        let info = (error as NSError).userInfo
        let errors = info[NSDetailedErrorsKey] as? [NSError] ?? [error as NSError]
        let objects = errors.map { $0.userInfo[NSValidationObjectErrorKey] }
        """),
    SurprisingBehavior(
      "A child's save waits for its parent's queue. Some schedules deadlock if the parent's queue waits for the child.",
      scenario: "main-waits-for-its-child", facts: "CC-06", "CC-07",
      advice: "Await the child's work. Do not block the main thread in performAndWait.",
      code: "try await child.perform { try child.save() }"),
    SurprisingBehavior(
      "A child shows old values after its parent has saved newer values, until the child merges the save or refreshes the object.",
      scenario: "child-shows-the-old-brand", facts: "SV-25",
      advice:
        "Turn on automatic merging when you create the child, unless its parent's queue waits for it. Otherwise refresh the objects that you keep.",
      code: "child.automaticallyMergesChangesFromParent = true"),
    SurprisingBehavior(
      "A child's new object keeps its temporary ID after the child's save. According to most reports, it keeps it even after the root's save.",
      scenario: "child-keeps-temporary-ID", facts: "ID-03", "ID-06",
      advice: "Obtain permanent IDs before the child saves.",
      code: "try child.obtainPermanentIDs(for: Array(child.insertedObjects))"),
    SurprisingBehavior(
      "According to most reports, a child's save runs awakeFromInsert again in the parent. An object that awakeFromInsert inserts then exists twice.",
      scenario: "awakeFromInsert-inserts-two-companions", facts: "LC-02",
      advice: "Create related objects where you create their owner, not in awakeFromInsert.",
      code: """
        let person = Person(context: child)
        person.diary = Diary(context: child)
        """),
  ]
}
