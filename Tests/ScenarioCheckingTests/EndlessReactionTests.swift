import Execution
import Invariants
import Scenario
import ScenarioChecking
import TestSupport
import Testing

@Suite struct `Endless reactions` {
  /// Returns the number of turns before the reaction is found to be endless.
  private func turnCount(hook: String) throws -> Int {
    let text = """
      scenario  endless
      evidence  inferred

      model
        Note
          stamp  integer?
          willSave  stamp \(hook) next

      stack
        store  main
        view  mainQueue coordinator store
        observe  objectsDidChange view
          view  perform
            increment n.stamp
            save

      steps
        view  insert Note as n
        view  processPendingChanges

      """
    let scenario = try ScenarioText.parse(text) { .failure(UnreadableModel(message: $0)) }
    let run = ScenarioRunner(scenario).run()
    let violation = try #require(
      run.violations.first {
        $0.kind == "endless reaction" && $0.object == nil
      })
    let detail = try #require(violation.detail)
    let turns = try #require(detail.firstMatch(of: /after ([0-9]+) turns/))
    return try #require(Int(turns.1))
  }

  /// A willSave that sets itself off does so a thousand times in one turn. Hundreds of such turns
  /// would be millions of events.
  @Test func `an endless reaction is found sooner where much happens in each turn`() throws {
    let (little, much) = (try turnCount(hook: "?="), try turnCount(hook: "="))
    #expect(little >= 2_000)
    #expect(much < 1_500, "\(much) turns, \(little) of those in which little happens")
  }

  /// A step that is submitted while the block waits in line takes no turns from the block.
  @Test(arguments: ["", "  view  perform\n    hasChanges\n"])
  func `a long block that waits in line is no endless reaction`(between: String) throws {
    let edits = Array(repeating: "    set n.title \"x\"\n    save", count: 500)
    let (outcome, _) = try judge(
      """
      scenario  long-block
      evidence  inferred

      model
        Note
          title  string?

      stack
        store  main
        view  mainQueue coordinator store
        work  privateQueue coordinator store

      steps
        work  suspend
        work  perform
          insert Note as n
      \(edits.joined(separator: "\n"))
        view  hasChanges
      \(between)  work  resume

      """)
    #expect(outcome.stepCount > 1_000)
    #expect(outcome.failureKinds.isEmpty)
  }
}
