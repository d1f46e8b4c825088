package import Scenario
package import ScenarioChecking
import Vocabulary

/// What an exploration found, for a reader: how many schedules there are, then each outcome with
/// the schedule that shows it.
package struct ExplorationReport {
  private let scenario: Scenario
  private let exploration: Exploration

  package init(_ exploration: Exploration, of scenario: Scenario) {
    self.exploration = exploration
    self.scenario = scenario
  }

  package var text: String {
    let findings = exploration.findings
    var lines = [
      exploration.summary + ", because they differ only in the order of independent turns"
    ]
    if let message = exploration.cutMessage { lines.append(message) }
    lines += verdicts
    if scenario.stack.timing != Stack.Timing() {
      lines.append(
        "time passes only when no lane is runnable; schedules that delay a runnable lane are not among these"
      )
    }
    let shared = findings.first.map { first in
      particulars(first).filter { line in findings.allSatisfy { particulars($0).contains(line) } }
    }
    for (number, finding) in findings.enumerated() {
      lines += ["", heading(number, finding), "  " + finding.scheduleLine]
      let own = own(finding)
      lines += (own.isEmpty ? ["nothing that only this one has"] : own).map { "    \($0)" }
    }
    if findings.count > 1, let shared, !shared.isEmpty {
      lines += ["", "all outcomes"] + shared.map { "    \($0)" }
    }
    return lines.joined(separator: "\n")
  }

  /// What of an outcome the others do not all have.
  private func own(_ finding: Exploration.Finding) -> [String] {
    if exploration.findings.count == 1 { return particulars(finding) }
    return particulars(finding).filter { line in
      !exploration.findings.allSatisfy { particulars($0).contains(line) }
    }
  }

  /// The same without violations, which a picture shows: what is stored, and what failed.
  func rest(of finding: Exploration.Finding) -> [String] {
    let shown = finding.outcome.deadlocks + finding.outcome.violations.map { "violated: \($0)" }
    return own(finding).filter { !shown.contains($0) && !$0.hasPrefix("holds: ") }
  }

  /// What is to be said of claims besides in which outcome they fail.
  private var verdicts: [String] {
    guard scenario.claimsAreAboutAllSchedules else {
      let holdsAlways = exploration.findings.allSatisfy { $0.outcome.claims.allSatisfy(\.self) }
      return holdsAlways
        ? []
        : [
          "claims are about the scenario's own schedule; they are judged here if its header says "
            + "'interleave  every'"
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
          ? "open, for it held in none of these: \(text)"
          : "open, though it held in all of these: \(text)"
      }
    }
  }

  private func heading(_ number: Int, _ finding: Exploration.Finding) -> String {
    "outcome \(number + 1) of \(exploration.findings.count): "
      + "\(finding.scheduleCount.text(counting: "schedule")), the first is"
  }

  private func particulars(_ finding: Exploration.Finding) -> [String] {
    finding.outcome.lines(of: scenario)
  }
}
