package import Scenario

/// What an exploration found, for a reader: how many schedules there are, then each outcome with the
/// schedule that shows it.
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
      "\(count(exploration.scheduleCount, "schedule")): \(exploration.runCount) run, "
        + "\(exploration.prunedCount) pruned, because they differ only in the order of independent "
        + "turns"
    ]
    if let message = exploration.cutMessage { lines.append(message) }
    let shared = findings.first.map { first in
      particulars(first).filter { line in findings.allSatisfy { particulars($0).contains(line) } }
    }
    for (number, finding) in findings.enumerated() {
      lines += ["", heading(number, finding), "  " + finding.scheduleLine]
      let own = particulars(finding).filter { findings.count == 1 || shared?.contains($0) != true }
      lines += (own.isEmpty ? ["has nothing that no other has"] : own).map { "    \($0)" }
    }
    if findings.count > 1, let shared, !shared.isEmpty {
      lines += ["", "in all of them"] + shared.map { "    \($0)" }
    }
    return lines.joined(separator: "\n")
  }

  private func heading(_ number: Int, _ finding: Exploration.Finding) -> String {
    "outcome \(number + 1) of \(exploration.findings.count): "
      + "\(count(finding.scheduleCount, "schedule")), the first is"
  }

  private func particulars(_ finding: Exploration.Finding) -> [String] {
    finding.outcome.lines(of: scenario)
  }

  private func count(_ tally: Tally, _ noun: String) -> String {
    "\(tally) \(noun)\(tally.value == 1 && tally.isExact ? "" : "s")"
  }
}

extension Exploration.Finding {
  /// The line of a scenario's header that runs it again.
  package var scheduleLine: String {
    (["interleave  choices"] + schedule.map { "\($0)" }).joined(separator: " ")
  }
}
