import Execution
import Failures
import InputFiles
import Invariants
import Scenario
import ScenarioChecking
import TestSupport
import Testing
import Timelines

@Suite struct `A violation that no step showed` {
  @Test func `a violation that no step showed is reported at the end`() throws {
    let outcome = try outcome(of: "Lists/list-that-hears-nothing").outcome
    let violation = try #require(outcome.violations.first)
    #expect(violation.report(in: outcome.program).hasPrefix("at the end: stale list. "))
  }

  @Test func `a violation stands under the last step that was performed`() throws {
    var scenario = try ScenarioFile.read(
      path: Repository.root + "/Scenarios/Lists/list-that-hears-nothing.scenario")
    scenario.recordWithViolations(quirks: scenario.quirkSet)
    #expect(scenario.items.last?.transcript.last == "at the end: stale list")
  }

  @Test func `a violation is found at the end of a run without steps, too`() throws {
    let outcome = try outcome(of: "Stacks/entry-point-suspends-for-good").outcome
    let violation = try #require(outcome.violations.first)
    #expect(outcome.stepCount == 0)
    #expect(violation.report(in: outcome.program).hasPrefix("at the end: lost block. "))
  }

  /// The main queue waited for the coordinator before any of its steps was performed.
  @Test func `a violation is put down to the step that a lane waited for, if any`() throws {
    let outcome = try outcome(of: "Concurrency/main-waits-at-the-coordinator").outcome
    let violation = try #require(
      outcome.violations.first { $0.invariant == .MainQueueKeepsWithinItsBudget })
    let report = violation.report(in: outcome.program)
    #expect(report.hasPrefix("after step 4: main queue blocked. "), "\(report)")
    #expect(report.hasSuffix("  step 4   'view  count Note'"), "\(report)")
  }
}
