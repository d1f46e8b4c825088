import Scenario
import ScenarioChecking
import Testing
import Vocabulary

/// Programs on which engine and reference model once differed. No campaign generates them.
@Suite struct `Agreement of engine and reference model` {
  /// Returns the transcript of a program on which both sides agree.
  private func lines(
    of model: String, _ stack: String, _ steps: String, without quirk: Quirk? = nil
  ) throws -> [String] {
    let text = """
      scenario  test
      evidence  inferred
      watch  awakeFromInsert didSave

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
    let scenario = try ScenarioText.parse(text) { _ in
      .failure(UnreadableModel(message: "there is none"))
    }
    var quirks = Profile.current.quirks
    if let quirk { quirks.remove(quirk) }
    let run = ScenarioRunner(scenario, quirks: quirks).run()
    #expect(run.disagreement == nil)
    return run.transcripts.flatMap(\.self)
  }

  /// The second action finds the companion that the first one inserted. §run-actions.2.2
  @Test func `an action with a guard inserts no second companion`() throws {
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
    let lines = try lines(
      of: model, "  view  mainQueue coordinator store", "  view  insert Person as p\n  view  save")
    #expect(lines.count { $0.contains("awakeFromInsert") } == 3, "\(lines)")
  }

  /// The parent saves between the child's commit and finish. §become-permanent.1.3.4.1
  @Test func `a save lists the IDs that became permanent before its finish`() throws {
    let lines = try lines(
      of: "  Note\n    title  string?",
      """
        view  mainQueue coordinator store
        edit  privateQueue parent view
        observe  objectsDidChange view
          save
      """, "  edit  insert Note as n\n  edit  save", without: .childKeepsTemporaryID)
    let saved = lines.filter { $0.contains("edit") && $0.contains("didSave ") }
    #expect(saved.count == 1 && !saved.contains { $0.contains("/t") }, "\(lines)")
  }
}
