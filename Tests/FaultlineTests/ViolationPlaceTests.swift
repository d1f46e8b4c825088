import Faultline
import Scenario
import Testing

@Suite struct `A violation that no step showed` {
  @Test func `is said to be found at the end`() throws {
    let outcome = try outcome(of: "Lists/list-that-nobody-tells").outcome
    let violation = try #require(outcome.violations.first)
    #expect(violation.report(in: outcome.program).hasPrefix("at the end: stale list. "))
  }

  @Test func `stands under the last step that was performed`() throws {
    var scenario = try ScenarioFile.read(
      path: Repository.root + "/Scenarios/Lists/list-that-nobody-tells.scenario")
    scenario.recordWithViolations(quirks: scenario.quirkSet)
    #expect(scenario.items.last?.transcript.last == "at the end: stale list")
  }

  @Test func `is found at the end of a run without steps, too`() throws {
    let outcome = try outcome(of: "Stacks/entry-point-suspends-for-good").outcome
    let violation = try #require(outcome.violations.first)
    #expect(outcome.stepCount == 0)
    #expect(violation.report(in: outcome.program).hasPrefix("at the end: lost block. "))
  }
}
