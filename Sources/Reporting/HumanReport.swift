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

/// A campaign as text for a terminal: what failed as a table, then each new failure, and as the
/// last line the verdict.
package struct HumanReport {
  /// How much it says.
  package enum Detail: Int, Comparable, Sendable {
    /// Table, commands that replay the examples, and verdict.
    case quiet
    /// The first failures in full, the others in a few lines.
    case usual
    /// All failures in full, known ones too, each example as a scenario, and how far the campaign
    /// came in terms of the engine.
    case verbose

    package static func < (a: Detail, b: Detail) -> Bool { a.rawValue < b.rawValue }
  }

  let report: CampaignReport
  /// How the tool was called: what a shell finds it by.
  private let tool: String
  /// The options that a replay needs besides seed and model.
  private let options: String
  private let detail: Detail
  private let style: Style
  /// The maximum number of characters of a line, but for commands and paths.
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
    let hints = detail == .quiet ? [] : verdict.hints(width: width)
    return (lines + hints + ["", verdict.line]).joined(separator: "\n")
  }

  /// What the report says of one failure.
  package func text(of failure: FailureReport) -> String {
    section(failure).dropFirst().joined(separator: "\n")
  }

  /// The failures that have a section.
  private var shown: [FailureReport] {
    report.disagreements + report.violations.filter { $0.isNew || detail == .verbose }
  }

  /// How many failures a usual report shows in full.
  package static let inFull = 3

  private var sections: [String] {
    let rest = detail == .verbose ? [] : Array(shown.dropFirst(HumanReport.inFull))
    var lines = shown.dropLast(rest.count).flatMap(section)
    if rest.isEmpty { return lines }
    lines += rest.flatMap(brief)
    return lines + [""]
      + wrapped(
        "\(rest.count == 1 ? "one failure is" : "\(rest.count) failures are") shown in brief: "
          + "replay one to see its run, or add -v to see all here", indentation: 2, width: width)
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

  /// How far it came.
  private var progress: [String] {
    let wasted = report.steps == 0 ? 0 : 1000 * report.wastedSteps / report.steps
    let agreement =
      report.disagreements.isEmpty ? ["engine and reference model agreed on every step"] : []
    return [
      "\(wasted / 10).\(wasted % 10) % of the steps found nothing to do"
    ] + stepCounts + models.insertions + (report.exhaustion?.summary ?? [])
      + wrapped(report.coverage.summary, indentation: 7, at: ", ", width: width) + [
        "abstract states: \(grouped(report.stateCount)); the last new one in program "
          + "\(grouped(report.lastNewState)), the last new mark in \(grouped(report.lastNewMark))"
      ] + report.coverage.table + agreement
  }

  /// Most frequent first: `steps: set 5,622, insert 5,267, …`
  private var stepCounts: [String] {
    let sorted = report.stepCounts.sorted { a, b in (-a.count, a.verb) < (-b.count, b.verb) }
    guard !sorted.isEmpty else { return [] }
    let counts = sorted.map { "\($0.verb) \(grouped($0.count))" }
    return wrapped(
      counts.joined(separator: ", "), after: "steps: ", indentation: 7, at: ", ", width: width)
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
        after: "never: ", indentation: 7, width: width)
  }

  // MARK: The table

  /// The name of a quirk, with its word in front.
  private static let leastCauseWidth = 38

  private var table: [String] {
    let failures = report.disagreements + report.violations
    if failures.isEmpty { return misuses }
    let nameWidth = 2 + (failures.map(\.kind.name.count).max() ?? 0)
    let countWidth = max(8, failures.map(\.cell.count).max() ?? 0)
    // Then causes stand below what they are of.
    let isNarrow = width - nameWidth - countWidth - 4 < HumanReport.leastCauseWidth
    var lines = [
      "",
      String(repeating: " ", count: nameWidth + 2)
        + style.faint(
          leftPadded("programs", countWidth)
            + (isNarrow ? "" : "  cause of the smallest example")),
    ]
    for group in FailureGroup.allCases {
      let members = failures.filter { $0.group == group }
      if members.isEmpty { continue }
      lines.append(style.heading(group.name))
      for failure in members {
        let name = padded("  " + failure.kind.name, nameWidth)
        let cause = [failure.causeText, failure.isNew ? nil : "(\(failure.standing.name))"]
          .compactMap(\.self).joined(separator: " ")
        let start = name + "  " + leftPadded(failure.cell, countWidth)
        var row =
          isNarrow
          ? [start] + wrapped(cause, after: "      ", indentation: 6, width: width)
          : wrapped(
            cause, after: start + "  ", indentation: nameWidth + countWidth + 4, width: width)
        if failure.isNew { row[0] = style.bad(name) + row[0].dropFirst(name.count) }
        lines += row
      }
    }
    return lines + misuses
  }

  /// "not counted, since only the generated program does it to itself ('--only misuse' shows it):
  /// unsaved changes discarded (38 programs)"
  private var misuses: [String] {
    if report.misuses.isEmpty { return [] }
    let all = report.misuses.map { failure in
      "\(failure.kind)"
        + (failure.metWhileShrinking == nil
          ? " (\(grouped(failure.count)) program\(failure.count == 1 ? "" : "s"))" : "")
    }
    return wrapped(
      "not counted, since only the generated program does it to itself ('--only misuse' shows it): "
        + all.joined(separator: ", "), indentation: 2, width: width)
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
      lines.append("   \(failure.standing == .known ? "known failure" : "the same in"): \(path)")
    }
    lines += wrapped(failure.certificate.sentence, after: "   ", indentation: 6, width: width)
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

  /// What the failure is and what to do about it, without the run that shows it.
  private func brief(_ failure: FailureReport) -> [String] {
    heading(of: failure) + proof(of: failure) + advice(on: failure)
      + frequency(of: failure) + replays(failure)
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

  /// Of a line of a proof: how far its words stand from its beginning.
  private static let proofMargin = 11

  /// The violation and the lines that prove it.
  private func proof(of failure: FailureReport) -> [String] {
    guard let details = failure.details else { return [] }
    return details.split(separator: "\n").enumerated().flatMap { index, line in
      if line.count + 3 <= width { return ["   \(line)"] }
      // Below the first line, the words of a step stand behind its number.
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

  /// Which steps, values and choices matter; the first sentence says enough for most.
  private func explanation(of failure: FailureReport) -> [String] {
    let sentences =
      detail == .verbose
      ? failure.explanation?.wholeText : failure.explanation.map { Array($0.text.prefix(1)) }
    return (sentences ?? []).flatMap {
      wrapped($0, after: "   ", indentation: 6, width: width)
    }
  }

  /// The commands that show it again: the example as it stands here, and the run it was found in.
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

  /// Replays the example, which a file has.
  package func exampleReplay(_ failure: FailureReport) -> String? {
    failure.file.map { path in
      let bugs = report.settings.bugs.map { " --plant \($0.name)" }.joined()
      return
        "\(HumanReport.quoted(tool)) replay \(HumanReport.quoted(ExampleFolder.name(of: path)))"
        + bugs
    }
  }

  /// Replays a run with such a failure, whole: the example need not be taken from it.
  package func replay(_ failure: FailureReport) -> String {
    let profile = report.settings.profile
    return "\(HumanReport.quoted(tool)) replay \(failure.seed.text)"
      + " --model \(HumanReport.quoted(failure.model))"
      + (profile == .current ? "" : " --profile \(profile.rawValue)") + options
  }

  /// As a shell takes it for one word.
  package static func quoted(_ text: String) -> String {
    let plain = text.allSatisfy { $0.isLetter || $0.isNumber || "/._-".contains($0) }
    return plain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private func leftPadded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

/// Sixteen hexadecimal digits.
package func hex(_ number: UInt64) -> String {
  let digits = String(number, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}
