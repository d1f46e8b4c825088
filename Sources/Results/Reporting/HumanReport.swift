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

/// A campaign as text for a terminal. It consists of a table of failures, a section for each new
/// failure, and the verdict as the last line.
package struct HumanReport {
  /// The level of detail.
  package enum Detail: Int, Comparable, Sendable {
    /// The table, the commands that replay the examples, and the verdict.
    case quiet
    /// The first failures in full, and other failures in a few lines.
    case usual
    /// All failures in full, including known ones, with each example as a scenario. Also describes
    /// the campaign's progress in terms of the engine.
    case verbose

    package static func < (a: Detail, b: Detail) -> Bool { a.rawValue < b.rawValue }
  }

  let report: CampaignReport
  /// The command by which a shell finds the tool.
  let tool: String
  /// The options that a replay needs in addition to seed and model.
  private let options: String
  let detail: Detail
  let style: Style
  /// The maximum number of characters in a line. Commands and paths may be longer.
  let width: Int

  package init(
    _ report: CampaignReport, tool: String, options: String, detail: Detail = .usual,
    style: Style = .plain, width: Int = 100
  ) {
    self.report = report
    self.tool = tool
    self.options = options
    self.detail = detail
    self.style = style
    self.width = width
  }

  package var text: String {
    var lines = headline + models.notes
    lines += table + report.unexaminedLines(width: width)
    if detail == .quiet {
      let commands = shown.compactMap(exampleReplay)
      lines += commands.isEmpty ? [] : [""] + commands
    } else {
      lines += sections
    }
    let ending =
      (detail == .verbose ? progress : [])
      + (detail == .quiet ? [] : saves + entryPoints + promises) + neverTaken
    lines += ending.isEmpty ? [] : [""] + ending
    if let folder = report.failures {
      lines += RegressionCorpusText(folder: folder, detail: detail, tool: tool).lines
    }
    let verdict = Verdict(report, style)
    let hints = detail == .quiet ? [] : verdict.notes(width: width)
    return (lines + hints + nextSteps + ["", verdict.line]).joined(separator: "\n")
  }

  /// Returns the section about a failure.
  package func text(of failure: FailureReport) -> String {
    section(failure).dropFirst().joined(separator: "\n")
  }

  /// The failures that have a section.
  var shown: [FailureReport] {
    report.disagreements
      + report.violations.filter { $0.isReported && !$0.isInherent || detail == .verbose }
  }

  /// The number of failures that a usual report shows in full.
  package static let inFull = 3

  private var sections: [String] {
    let rest = detail == .verbose ? [] : Array(shown.dropFirst(HumanReport.inFull))
    let lines = shown.dropLast(rest.count).flatMap(section)
    if rest.isEmpty { return lines }
    let heading = "── \(rest.count) more failure\(rest.count == 1 ? "" : "s")"
    return lines + ["", style.heading(heading)] + rest.flatMap(brief)
  }

  private var models: ModelLines { ModelLines(report: report, width: width) }

  // MARK: The campaign

  private var headline: [String] {
    let shard = report.part == .whole ? "" : " (shard \(report.part.text))"
    return wrapped(
      "\(report.isComplete ? "" : "stopped after ")\(grouped(report.runs)) programs\(shard), "
        + "\(grouped(report.steps)) steps, profile \(report.settings.profile.rawValue), "
        + "seed 0x\(String(report.settings.seed, radix: 16)), digest \(hex(report.digest))",
      indentation: 2, at: ", ", width: width)
  }

  /// Lines about the progress of the campaign.
  private var progress: [String] {
    let wasted = report.steps == 0 ? 0 : 1000 * report.wastedSteps / report.steps
    let agreement =
      report.disagreements.isEmpty ? ["engine and reference model agreed on every step"] : []
    return [
      "\(wasted / 10).\(wasted % 10) % of the steps had nothing to act on"
    ] + stepCounts + models.insertions + (report.exhaustion?.summary ?? [])
      + wrapped(report.coverage.summary, indentation: 7, at: ", ", width: width) + [
        "abstract states: \(grouped(report.stateCount)); the last new state in program "
          + "\(grouped(report.lastNewState)), the last new mark in program "
          + "\(grouped(report.lastNewMark))"
      ] + report.coverage.table + agreement
  }

  /// The number of steps by kind, most frequent first, such as `steps: set 5,622, insert 5,267, …`.
  private var stepCounts: [String] {
    let sorted = report.stepCounts.sorted { a, b in (-a.count, a.verb) < (-b.count, b.verb) }
    guard !sorted.isEmpty else { return [] }
    let counts = sorted.map { "\($0.verb) \(grouped($0.count))" }
    return wrapped(
      counts.joined(separator: ", "), after: "steps: ", indentation: 7, at: ", ", width: width)
  }

  /// The requested kinds of steps that no program contains. The campaign says nothing about these
  /// kinds.
  private var neverTaken: [String] {
    let never = report.settings.stepFilter.only.filter { kind in
      kind.isStep
        && !report.stepCounts.contains { StepGenerator.Kind(named: $0.verb) == kind }
    }.map(\.name)
    return never.isEmpty
      ? []
      : wrapped(
        "\(never.joined(separator: ", ")), requested by --only-steps: the model or stack has no use for such steps, or there were too few programs",
        after: "never: ", indentation: 7, width: width)
  }

  // MARK: A failure

  private func section(_ failure: FailureReport) -> [String] {
    var lines = heading(of: failure)
    if let invariant = failure.invariant { lines += field("violated", invariant.sentence) }
    lines += proof(of: failure)
    lines += field("stack", failure.example.stackInWords, at: "; ")
    lines += [""]
    lines += LaneDiagram(failure.timeline, width: width - 4, marking: failure.kind).lines.map {
      "   \($0)"
    }
    lines.append("")
    lines += advice(on: failure)
    if let path = failure.precedent {
      lines.append("   \(failure.standing == .known ? "known failure" : "also shown by"): \(path)")
    }
    let certificate = failure.certificate
    lines += wrapped(
      detail == .verbose ? certificate.sentence : certificate.summary, after: "   ",
      indentation: 6, width: width)
    lines += explanation(of: failure)
    lines += frequency(of: failure)
    if detail == .verbose {
      let text = ScenarioText.print(failure.example)
      lines +=
        [""]
        + text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
          $0.isEmpty ? "" : "   \($0)"
        }
    }
    return lines + [""] + replays(failure)
  }

  /// Returns the failure as a sentence, with the command that shows its run.
  private func brief(_ failure: FailureReport) -> [String] {
    let text = "\(failure.kind): \(failure.sentence ?? failure.causeText ?? "")"
    return wrapped(text, after: "   ", indentation: 6, width: width)
      + replays(failure).map { "   \($0)" }
  }

  private func frequency(of failure: FailureReport) -> [String] {
    wrapped(failure.frequency, after: "   ", indentation: 6, width: width)
  }

  private func heading(of failure: FailureReport) -> [String] {
    let heading = "── \(failure.kind)"
    return [
      "",
      (failure.isNew ? style.bad(heading) : style.heading(heading))
        + style.faint(
          " · \(failure.group.name)\(failure.isNew ? "" : ", \(failure.standing.name)")"),
    ]
  }

  /// The distance from the beginning of a proof line to its words.
  private static let proofMargin = 11

  /// Returns the violation and the lines that prove it.
  private func proof(of failure: FailureReport) -> [String] {
    guard let details = failure.details else { return [] }
    return details.split(separator: "\n").enumerated().flatMap { index, line in
      if line.count + 3 <= width { return ["   \(line)"] }
      // Wrapped words of a step stay to the right of its number.
      let start = index == 0 ? "" : line.prefix(HumanReport.proofMargin)
      return wrapped(
        String(line.dropFirst(start.count)), after: "   \(start)",
        indentation: index == 0 ? 6 : 3 + HumanReport.proofMargin, width: width)
    }
  }

  private func advice(on failure: FailureReport) -> [String] {
    (failure.causeText.map { field("cause", $0) } ?? [])
      + (failure.furtherCauses.isEmpty
        ? []
        : field(
          "would not happen without", failure.furtherCauses.joined(separator: "; nor without ")))
      + (failure.remedy.map { field("remedy", $0) } ?? [])
  }

  private func field(_ name: String, _ text: String, at separator: String = " ") -> [String] {
    wrapped(text, after: "   \(name): ", indentation: 6, at: separator, width: width)
  }

  /// Returns a text about the steps, values and choices that matter. The first sentence is enough
  /// for most readers.
  private func explanation(of failure: FailureReport) -> [String] {
    let sentences =
      detail == .verbose
      ? failure.explanation?.wholeText : failure.explanation.map { Array($0.text.prefix(1)) }
    return (sentences ?? []).flatMap {
      wrapped($0, after: "   ", indentation: 6, width: width)
    }
  }

  /// Returns the commands that show the failure again, for the example and for the run that found
  /// it.
  private func replays(_ failure: FailureReport) -> [String] {
    var lines: [String] = []
    if let command = exampleReplay(failure) {
      lines.append("   " + style.faint("replay: ") + command)
    }
    guard detail == .verbose || lines.isEmpty else { return lines }
    let run =
      failure.metWhileShrinking.map { "the run that shows '\($0)'" } ?? "a run with such a failure"
    lines += ["   " + style.faint("\(run):"), "      " + replay(failure)]
    if detail == .verbose {
      lines += wrapped(failure.wholeSwarm, after: "   that run: ", indentation: 6, width: width)
    }
    return lines
  }

  /// Returns the command that replays the example's file, or nil if the example has no file.
  package func exampleReplay(_ failure: FailureReport) -> String? {
    failure.file.map { path in
      let bugs = report.settings.bugs.map { " --plant \($0.name)" }.joined()
      return
        "\(HumanReport.quoted(tool)) replay \(HumanReport.quoted(ExampleFolder.name(of: path)))"
        + bugs
    }
  }

  /// Returns the command that replays a complete run with such a failure. The example need not come
  /// from this run.
  package func replay(_ failure: FailureReport) -> String {
    let profile = report.settings.profile
    return "\(HumanReport.quoted(tool)) replay \(failure.seed.text)"
      + " --model \(HumanReport.quoted(failure.model))"
      + (profile == .current ? "" : " --profile \(profile.rawValue)") + options
  }

  /// Returns the text quoted as a single word for a shell.
  package static func quoted(_ text: String) -> String {
    let plain = text.allSatisfy { $0.isLetter || $0.isNumber || "/._-".contains($0) }
    return plain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
  }

  func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  func leftPadded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

/// Returns sixteen hexadecimal digits.
package func hex(_ number: UInt64) -> String {
  let digits = String(number, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}
