import Execution
import Prose
import Scenario
package import ScenarioChecking
import Timelines
import Vocabulary

/// The results of an exploration, for readers. The text gives the number of schedules, and each
/// outcome with the order in which queues run.
package struct ExplorationReport {
  private let runner: ScenarioRunner
  private let exploration: Exploration
  private let width: Int

  /// Creates a report of an exploration of `runner`.
  package init(_ exploration: Exploration, of runner: ScenarioRunner, width: Int = 100) {
    self.exploration = exploration
    self.runner = runner
    self.width = width
  }

  private var scenario: Scenario { runner.scenario }

  package var text: String {
    let findings = exploration.findings
    var lines = [
      exploration.summary + ", because they differ only in the order of independent turns"
    ]
    if let message = exploration.cutMessage { lines.append(message) }
    lines += verdicts
    if scenario.stack.timing != Stack.Timing() {
      lines.append(
        "time passes only when no lane is runnable; schedules that delay a runnable lane are not included"
      )
    }
    let shared = findings.first.map { first in
      particulars(first).filter { line in findings.allSatisfy { particulars($0).contains(line) } }
    }
    let timelines = findings.map(timeline)
    let common = timelines.map { $0.commonCount(with: timelines[0]) }.min() ?? 0
    if findings.count > 1, common > 0 {
      lines += ["", "every outcome begins with"] + ordered(timelines[0].order(upTo: common))
    }
    for (number, finding) in findings.enumerated() {
      let start = findings.count > 1 ? common : 0
      lines += ["", heading(number, finding, isWhole: start == 0)]
      lines += ordered(timelines[number].order(after: start))
      let own = own(finding)
      lines += (own.isEmpty ? ["no further results"] : own).map { "    \($0)" }
    }
    if findings.count > 1, let shared, !shared.isEmpty {
      lines += ["", "every outcome ends with"] + shared.map { "    \($0)" }
    }
    return lines.joined(separator: "\n")
  }

  /// Returns the lines of an outcome that not all outcomes share.
  private func own(_ finding: Exploration.Finding) -> [String] {
    if exploration.findings.count == 1 { return particulars(finding) }
    return particulars(finding).filter { line in
      !exploration.findings.allSatisfy { particulars($0).contains(line) }
    }
  }

  /// Returns the lines of an outcome that a picture does not show, such as stored rows and
  /// failures. Violations are omitted.
  func rest(of finding: Exploration.Finding) -> [String] {
    let shown = finding.outcome.deadlocks + finding.outcome.violations.map { "violated: \($0)" }
    return own(finding).filter { !shown.contains($0) && !$0.hasPrefix("holds: ") }
  }

  /// Remarks on claims that do not hold, or remain undecided, over all schedules.
  private var verdicts: [String] {
    guard scenario.claimsAreAboutAllSchedules else {
      let holdsAlways = exploration.findings.allSatisfy { $0.outcome.claims.allSatisfy(\.self) }
      return holdsAlways
        ? []
        : [
          "claims describe the scenario's own schedule; to check them in every schedule, write "
            + "'interleave  every' in the header"
        ]
    }
    return scenario.claims.indices.compactMap { claim in
      let text = scenario.claims[claim].text(in: scenario)
      switch exploration.verdict(on: claim, of: scenario) {
      case .holds: return nil
      case .doesNotHold:
        return scenario.claims[claim].quantifier == .sometimes
          ? "holds in no schedule: \(text)" : "does not always hold: \(text)"
      case .undecided:
        return scenario.claims[claim].quantifier == .sometimes
          ? "undecided, because it held in none of the schedules that ran: \(text)"
          : "undecided, although it held in all of the schedules that ran: \(text)"
      }
    }
  }

  private func heading(
    _ number: Int, _ finding: Exploration.Finding, isWhole: Bool
  ) -> String {
    "outcome \(number + 1) of \(exploration.findings.count): "
      + "\(finding.scheduleCount.text(counting: "schedule")), the first "
      + (isWhole ? "is" : "continues with")
  }

  /// Returns the run of an outcome's first schedule.
  private func timeline(_ finding: Exploration.Finding) -> Timeline {
    var program = Program(scenario)
    program.schedule = finding.schedule
    return ProgramRunner(runner.configuration).timeline(of: program).1
  }

  private func ordered(_ order: String) -> [String] {
    wrapped(order.isEmpty ? "nothing" : order, after: "  ", indentation: 4, width: width)
  }

  private func particulars(_ finding: Exploration.Finding) -> [String] {
    finding.outcome.lines(of: scenario)
  }
}
