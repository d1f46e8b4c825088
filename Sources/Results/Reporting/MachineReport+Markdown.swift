import Failures
import Campaigns
import Invariants
import Prose
import ScenarioChecking
import Timelines
import Vocabulary

extension MachineReport {
  /// Returns a summary for the page of a job. It has a table of violations, and each example as a
  /// collapsible diagram.
  package func markdown() -> String {
    var lines = ["## \(report.passes ? "✅" : "❌") Faultline", "", headline, ""]
    let failures = report.disagreements + report.violations
    if failures.isEmpty, report.shortcomings.isEmpty {
      lines.append(
        "Engine and reference model agreed on every step, and no invariant was violated.")
    } else if !failures.isEmpty {
      lines += ["| failure | programs | cause | |", "|---|---:|---|---|"]
      lines += failures.map(row)
    }
    for kept in report.failures?.kept ?? [] where kept.isNew {
      lines += ["", "❌ A kept failure still fails: `\(kept.path)`, \(cell(kept.title))"]
    }
    for (_, sentence) in report.shortcomings { lines += ["", "❌ \(sentence)"] }
    for failure in failures { lines += [""] + section(failure) }
    return lines.joined(separator: "\n") + "\n\n"
  }

  private var headline: String {
    "\(grouped(report.runs)) programs, \(grouped(report.steps)) steps under profile "
      + "`\(report.settings.profile.rawValue)`; digest `\(hex(report.digest))`"
  }

  private func row(_ failure: FailureReport) -> String {
    let standing =
      switch failure.standing {
      case .known: "known failure, `\(failure.precedent ?? "")`"
      case .allowed, .warning: failure.standing.name
      case .new: failure.invariant == nil ? "**a defect of Faultline**" : "**new**"
      }
    return
      "| \(cell(failure.kind.name)) | \(failure.cell) | \(cell(failure.causeText ?? "")) | "
      + "\(standing) |"
  }

  private func section(_ failure: FailureReport) -> [String] {
    let proof = failure.details?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
    return [
      "<details><summary>\(escaped(failure.kind.name)): "
        + "\(failure.stepCount) step\(failure.stepCount == 1 ? "" : "s")</summary>",
      "", "```", "stack: " + failure.example.stackInWords, "",
    ]
      + proof.map(String.init) + (proof.isEmpty ? [] : [""])
      + LaneDiagram(failure.timeline, width: 96, marking: failure.kind).lines
      + ["```", "", "```", replay(failure), "```", "", "</details>"]
  }

  private func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
