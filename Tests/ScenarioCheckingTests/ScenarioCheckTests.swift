import Scenario
import ScenarioChecking
import TestSupport
import Testing
import Vocabulary

@Suite struct `The check of a scenario` {
  private func scenario(
    header: String = "", steps: String, claims: String = "  succeeded"
  ) throws -> Scenario {
    let text = smallScenario(header: header, steps: steps, claims: claims)
    return try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "")) }
  }

  /// A scenario need not watch for answers.
  @Test func `the check compares the answer of every step that asks`() throws {
    let asking = [
      "get n.title", "fetch Note", "fetch Note ids", "fetch Note dictionaries",
      "fetch Note counting", "count Note", "object view.n", "existingObject view.n",
      "registeredObject view.n", "objectForURI view.n", "changedValues n", "committedValues n",
      "changedValuesForCurrentEvent n", "hasPersistentChangedValues n", "hasChanges",
      "uriRepresentation n", "validate n forInsert", "metadata main", "batchDelete Note",
    ]
    let steps = ["  view  insert Note as n"] + asking.map { "  view  \($0)" }
    let problems = ScenarioCheck(try scenario(steps: steps.joined(separator: "\n"))).problems
    for (index, step) in asking.enumerated() {
      let lines = problems.filter { $0.line == 16 + index }.map(\.message)
      #expect(lines.count == 1, "\(step)")
      #expect(
        lines.allSatisfy { $0.hasPrefix("the transcript says nothing more, the run says 'view  ") })
    }
  }

  /// A class whose `willSave` sets itself off is called 1,000 times. All of them count.
  @Test func `the check does not show all of a reaction that never ends`() throws {
    let text = smallScenario(
      header: "\nwatch  objectWillSave", steps: "  view  insert Note as n\n  view  save",
      claims: "  failed  willSaveLoop"
    ).replacing("    title  string?", with: "    title  integer?\n    willSave  title = next")
    var scenario = try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "")) }
    scenario.record()
    let transcript = scenario.items[1].transcript
    #expect(transcript.count == 41)
    #expect(transcript[20].hasSuffix(" more lines …"))
    #expect(transcript[40].hasPrefix("view  failed willSaveLoop"))
    #expect(ScenarioCheck(scenario).problems == [])
  }

  @Test func `the check counts the steps that failed`() throws {
    let steps = """
        view  insert Note as n
        edit  existingObject view.n
        view  rollback
        edit  reset
        edit  existingObject view.n
        edit  existingObject view.n
      """
    let claims = """
        count  failed managedObjectReferentialIntegrity == 2
        count  failed managedObjectMerge == 0
        count  failed managedObjectReferentialIntegrity == 3
      """
    let problems = ScenarioCheck(try scenario(steps: steps, claims: claims)).problems
    #expect(
      problems.filter { !$0.isOfTranscript }.map(\.message) == [
        "does not hold: count  failed managedObjectReferentialIntegrity == 3; it is 2"
      ])
  }

  @Test func `the check finds every answer of a context, and none of others`() throws {
    let steps = """
        view  insert Note as n
        view  count Note
        edit  count Note savedState
        edit  perform
          count Note
      """
    let claims = """
        answered  view counted 1
        answered  edit counted 0
        answered  edit counted 1
        answered  view counted 0
        answered  edit counted
        answered  view found [n]
      """
    let problems = ScenarioCheck(try scenario(steps: steps, claims: claims)).problems
    #expect(
      problems.filter { !$0.isOfTranscript }.map(\.message) == [
        "does not hold: answered  view counted 0; it is counted 1",
        "does not hold: answered  edit counted; it is counted 0, counted 1",
        "does not hold: answered  view found [n]; it is never found",
      ])
  }

  @Test func `the check runs with the quirks of the profile and those that are named`() throws {
    let current = try scenario(header: "\nquirk  mergeReachesChildren", steps: "  view  save")
    #expect(
      current.quirkSet.quirks == Profile.current.quirks.quirks + [.mergeReachesChildren])
    let documented = try scenario(
      header: "\nquirk  rowHasTwoInstances emptySaveLeavesMetadata\nprofile  documented",
      steps: "  view  save")
    #expect(documented.quirkSet.quirks == [.rowHasTwoInstances, .emptySaveLeavesMetadata])
  }
}
