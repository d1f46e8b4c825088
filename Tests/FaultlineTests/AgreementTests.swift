import Execution
import ObjectModel
import Scenario
import ScenarioChecking
import Testing
import Vocabulary

/// Programs on which engine and reference model once differed. No campaign generates them.
@Suite struct `Engine and reference model agree` {
  private func disagreement(
    on model: String, _ stack: String, _ steps: String, without quirk: Quirk? = nil
  ) throws -> Disagreement? {
    let text = """
      scenario  test
      evidence  inferred

      model
      \(model)

      stack
        store  main
      \(stack)

      steps
      \(steps)

      claims
        succeeded

      """
    let program = Program(
      try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "there is none")) })
    var quirks = Profile.current.quirks
    if let quirk { quirks.remove(quirk) }
    var configuration = RunConfiguration(model: program.model, quirks: quirks)
    configuration.stack = program.stack
    return ProgramRunner(configuration).run(program).disagreement
  }

  /// The second action finds the companion of the first one. §run-actions.2.2
  @Test func `about an action that inserts a companion only where there is none`() throws {
    let model = """
        Person
          diary  Diary? inverse owner
          pages  Page* inverse owner
          awakeFromInsert  diary = insert
          awakeFromInsert  diary ?= insert
          awakeFromInsert  pages ?= insert
          awakeFromInsert  pages ?= insert
        Diary
          owner  Person? inverse diary
        Page
          owner  Person? inverse pages
      """
    let found = try disagreement(
      on: model, "  view  mainQueue coordinator store",
      "  view  insert Person as p\n  view  save")
    #expect(found == nil)
  }

  /// The parent saves between the child's commit and finish. §become-permanent.1.3.4.1
  @Test func `about the IDs that a save lists if they became permanent meanwhile`() throws {
    let found = try disagreement(
      on: "  Note\n    title  string?",
      """
        view  mainQueue coordinator store
        edit  privateQueue parent view
        observe  objectsDidChange view
          save
      """, "  edit  insert Note as n\n  edit  save", without: .childKeepsTemporaryID)
    #expect(found == nil)
  }
}
