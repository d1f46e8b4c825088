import Failures
package import Campaigns
import Execution
import Generation
import Invariants
package import Prose
import Scenario
import ScenarioChecking
import Shrinking
import Timelines
import Vocabulary

/// A campaign as text for a terminal, where the end is what people see: what failed, one after the
/// other, then how far the campaign came, and last how often each failed and whether any of it is
/// new.
package struct HumanReport {
  private let report: CampaignReport
  /// How the tool was called: what a shell finds it by.
  private let tool: String
  /// The options that a replay needs besides seed and model.
  private let options: String
  /// Whether it also has each example as a scenario, and says in how many runs each mark was
  /// reached.
  private let isVerbose: Bool
  private let style: Style

  package init(
    _ report: CampaignReport, tool: String, options: String, isVerbose: Bool = false,
    style: Style = .plain
  ) {
    self.report = report
    self.tool = tool
    self.options = options
    self.isVerbose = isVerbose
    self.style = style
  }

  package var text: String {
    var lines = [headline]
    let wasted = report.steps == 0 ? 0 : 1000 * report.wastedSteps / report.steps
    lines.append(
      "\(wasted / 10).\(wasted % 10) % of the steps found nothing to do; digest \(hex(report.digest))"
    )
    lines += ModelLines(report: report).notes
    for failure in report.disagreements + report.violations { lines += section(failure) }
    if !(report.disagreements + report.violations).isEmpty { lines.append("") }
    lines += stepCounts
    lines += ModelLines(report: report).insertions
    lines += report.exhaustion?.summary ?? []
    lines += wrapped(report.coverage.summary, indentation: 7, at: ", ")
    lines.append(
      "abstract states: \(grouped(report.stateCount)); the last new one in program "
        + "\(grouped(report.lastNewState)), the last new mark in \(grouped(report.lastNewMark))")
    if isVerbose { lines += report.coverage.table }
    if let folder = report.failures { lines += RegressionCorpusText(folder: folder).lines }
    lines += agreement + table
    return lines.joined(separator: "\n")
  }

  private var agreement: [String] {
    if report.disagreements.isEmpty { return ["engine and reference model agreed on every step"] }
    return [
      style.bad(
        "ENGINE AND REFERENCE MODEL DISAGREE: "
          + (report.settings.bugs.isEmpty
            ? "a bug of Faultline's, please report it" : "a bug is planted"))
    ]
  }

  /// What the report says of one failure.
  package func text(of failure: FailureReport) -> String {
    section(failure).dropFirst().joined(separator: "\n")
  }

  private var headline: String {
    let shard = report.part == .whole ? "" : " (shard \(report.part.text))"
    return "\(report.isComplete ? "" : "stopped after ")\(grouped(report.runs)) programs\(shard), "
      + "\(grouped(report.steps)) steps under profile \(report.settings.profile.rawValue)"
  }

  /// Most frequent first: `steps: set 5,622, insert 5,267, …`
  private var stepCounts: [String] {
    let sorted = report.stepCounts.sorted { a, b in (-a.count, a.verb) < (-b.count, b.verb) }
    guard !sorted.isEmpty else { return [] }
    let counts = sorted.map { "\($0.verb) \(grouped($0.count))" }
    return wrapped(counts.joined(separator: ", "), after: "steps: ", indentation: 7, at: ", ")
      + neverTaken
  }

  /// A campaign that never did what it was asked for says nothing about that.
  private var neverTaken: [String] {
    let never = report.settings.stepFilter.only.filter { kind in
      kind.isStep
        && !report.stepCounts.contains { StepGenerator.Kind(named: $0.verb) == kind }
    }.map(\.name)
    return never.isEmpty
      ? []
      : wrapped(
        "\(never.joined(separator: ", ")), which --only-steps asks for: this model or stack has no use for it, or there were too few programs",
        after: "never: ", indentation: 7)
  }

  private var table: [String] {
    if report.violations.isEmpty { return ["no invariant was violated"] + misuses }
    let kinds = report.violations.map(\.kind.name)
    let width = kinds.map(\.count).max() ?? 0
    var lines = [
      "", "violations, the number of programs that showed them, and the cause of the smallest",
    ]
    for group in FailureGroup.allCases {
      let failures = report.violations.filter { $0.group == group }
      if failures.isEmpty { continue }
      lines.append(group.name)
      lines += failures.map { row(of: $0, width) }
    }
    return lines + misuses + [verdict]
  }

  /// "not counted, since only the generated program does it to itself: unsaved changes discarded
  /// (38 programs, the program itself)"
  private var misuses: [String] {
    if report.misuses.isEmpty { return [] }
    let all = report.misuses.map { failure in
      "\(failure.kind) (\(failure.cell) programs\(failure.cause.map { ", \($0.text)" } ?? ""))"
    }
    return wrapped(
      all.joined(separator: ", "),
      after: "not counted, since only the generated program does it to itself: ", indentation: 2,
      at: ", ")
  }

  private func row(of failure: FailureReport, _ width: Int) -> String {
    let count = failure.cell
    return "  " + padded(failure.kind.name, width)
      + String(repeating: " ", count: max(1, 9 - count.count))
      + count + "  " + (failure.causeText ?? "")
      + (failure.knownFailure == nil ? style.bad("  NEW") : "")
  }

  private var verdict: String {
    let new = report.violations.count { $0.knownFailure == nil }
    switch (new, report.violations.count) {
    case (0, let all):
      return (all == 1 ? "it is a known failure" : "all of them are known failures")
        + (report.passes ? ": nothing new" : "")
    case (_, new): return style.bad("new: \(new == 1 ? "it" : "all of them")")
    case (_, let all): return style.bad("new: \(new) of \(all)")
    }
  }

  private func section(_ failure: FailureReport) -> [String] {
    let heading = "── \(failure.kind)"
    var lines = [
      "", failure.knownFailure == nil ? style.bad(heading) : style.heading(heading),
    ]
    if let invariant = failure.invariant { lines.append("   violated: \(invariant.sentence)") }
    if let details = failure.details {
      lines += details.split(separator: "\n").map { "   \($0)" }
    }
    lines += wrapped(failure.example.stackInWords, after: "   stack: ", indentation: 10, at: "; ")
    lines +=
      [""]
      + LaneDiagram(failure.timeline, width: 96, marking: failure.kind).lines.map { "   \($0)" } + [
        ""
      ]
    if let cause = failure.causeText {
      lines += wrapped(cause, after: "   cause: ", indentation: 6)
    }
    lines.append("   group: \(failure.group.name)")
    if let invariant = failure.invariant,
      let remedy = invariant.definition.remedy(for: failure.cause)
    {
      lines += wrapped(remedy, after: "   remedy: ", indentation: 6)
    }
    if let path = failure.knownFailure {
      lines.append("   known failure: \(path)")
    } else if failure.invariant != nil {
      lines.append("   " + style.bad("NEW FAILURE: no scenario shows it with this cause"))
    }
    lines += wrapped(failure.certificate.sentence, after: "   ", indentation: 6)
    lines += failure.explanation.text.flatMap { wrapped($0, after: "   ", indentation: 6) }
    lines.append("   " + failure.frequency)
    if isVerbose {
      let text = ScenarioText.print(failure.example)
      lines +=
        [""]
        + text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
          $0.isEmpty ? "" : "   \($0)"
        }
    }
    let run =
      failure.metWhileShrinking.map { "the run that shows '\($0)'" } ?? "a run with such a failure"
    lines += ["", "   " + style.faint("\(run): ") + replay(failure)]
    lines += wrapped(
      isVerbose ? failure.wholeSwarm : failure.swarm, after: "   that run: ", indentation: 6)
    return lines
  }

  /// Replays a run with such a failure, whole: the example need not be taken from it.
  package func replay(_ failure: FailureReport) -> String {
    "\(HumanReport.quoted(tool)) replay \(failure.seed.text) --model \(HumanReport.quoted(failure.model))"
      + " --profile \(report.settings.profile.rawValue)" + options
  }

  /// As a shell takes it for one word.
  package static func quoted(_ text: String) -> String {
    let plain = text.allSatisfy { $0.isLetter || $0.isNumber || "/._-".contains($0) }
    return plain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

/// Sixteen hexadecimal digits.
package func hex(_ number: UInt64) -> String {
  let digits = String(number, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}
