import Execution
import Failures
import Invariants
import Scenario
package import ScenarioChecking
import SimulatedCoreData
package import Timelines
import Vocabulary

/// The page of a scenario. It shows one run or, for all schedules, a tab for each outcome, with
/// failing outcomes first.
package struct ScenarioPage {
  private let scenario: Scenario
  private let runner: ScenarioRunner
  /// The command that replays the scenario's file, or nil if the scenario has no file.
  private let command: String?
  /// The options of that command that change the meaning of the scenario.
  private let options: [String]
  /// A Boolean value that indicates whether the scenario is judged like the campaign that found it.
  package var isExample = false
  /// HTML at the top of the page. `footer` is HTML at the bottom.
  package var crumbs = ""
  package var footer = ""

  /// The maximum number of outcomes that are drawn.
  private static let outcomeLimit = 12

  package init(_ runner: ScenarioRunner, command: String?, options: [String] = []) {
    (self.runner, self.command, self.options) = (runner, command, options)
    scenario = runner.scenario
  }

  /// The page for the scenario's own schedule.
  package var html: String {
    TimelinePage(
      report(of: scenario, command: command), title: scenario.title, crumbs: crumbs,
      footer: footer
    ).html
  }

  /// Returns the page for all schedules of the scenario.
  package func html(of exploration: Exploration) -> String {
    let report = ExplorationReport(exploration, of: runner)
    let outcomes = exploration.findings.indices.map { index in
      let finding = exploration.findings[index]
      let number = exploration.findings.count > 1 ? " --outcome \(index + 1)" : ""
      let run = self.report(of: finding, command: command.map { $0 + number })
      let note =
        "\(finding.scheduleCount) of \(exploration.scheduleCount.text(counting: "schedule")) lead to this outcome"
        + report.rest(of: finding).map { "; \($0)" }.joined()
      return RunOutcome(run, name: "Outcome \(index + 1)", note: note)
    }
    let order = outcomes.indices.sorted {
      (rank(outcomes[$0].report, exploration.findings[$0]), $0)
        < (rank(outcomes[$1].report, exploration.findings[$1]), $1)
    }
    let shown = order.prefix(ScenarioPage.outcomeLimit).map { outcomes[$0] }
    let omitted = outcomes.count - shown.count
    let summary =
      exploration.summary
      + (exploration.cutMessage.map { "; " + $0 } ?? "") + "; \(outcomes.count) outcome"
      + (outcomes.count == 1 ? "" : "s")
      + (omitted > 0 ? ", of which \(omitted) are not drawn" : "") + "."
    return TimelinePage(
      shown, title: scenario.title, summary: summary, crumbs: crumbs, footer: footer
    ).html
  }

  /// Returns a picture for a card of an index. Its run is the scenario's own run, or the first
  /// outcome on the scenario's page.
  package func card(of exploration: Exploration?) -> Picture {
    let findings = exploration?.findings ?? []
    let runs = findings.map { report(of: $0, command: nil) }
    let ranks = zip(runs, findings).map { rank($0, $1) }
    let first = ranks.indices.min { ranks[$0] < ranks[$1] }
    let run = first.map { runs[$0] } ?? report(of: scenario, command: nil)
    return Picture(forCard: run.timeline, about: run.subject)
  }

  private func report(of finding: Exploration.Finding, command: String?) -> RunReport {
    var one = scenario
    one.interleave = .choices(finding.schedule.map { Int($0) })
    return report(of: one, command: command)
  }

  private func report(of scenario: Scenario, command: String?) -> RunReport {
    var configuration = RunConfiguration(model: scenario.model, quirks: runner.quirks)
    configuration.bugs = runner.bugs
    configuration.checkLevel = isExample ? .design : .scenario
    let (outcome, timeline) = ProgramRunner(configuration).timeline(of: Program(scenario))
    var report = RunReport(timeline, outcome, of: scenario, configuration)
    report.explore(Program(scenario), configuration)
    report.command = command
    report.options = options
    if scenario.hasRemarks { report.knowProse() }
    return report
  }

  /// Returns the position of an outcome. The lowest comes first. Outcomes with a claimed violation
  /// precede outcomes that break a claim.
  private func rank(_ run: RunReport, _ finding: Exploration.Finding) -> Int {
    guard let main = run.main else { return finding.outcome.failures.isEmpty ? 10 : 9 }
    if run.subject != nil { return 0 }
    let breaksClaim = zip(scenario.claims, finding.outcome.claims).contains { claim, holds in
      !holds && claim.quantifier != .sometimes
    }
    if breaksClaim { return 1 }
    let severity =
      run.timeline.findings[main].kind.invariant?.severity.rawValue ?? 0
    return 2 + severity
  }
}
