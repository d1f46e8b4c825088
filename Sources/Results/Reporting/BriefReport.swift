package import Campaigns
import Failures
import Prose

/// A campaign as short plain text, for readers with little room, such as coding agents. The first
/// line is the verdict. The worst failures follow with their proof, and the others in a line each.
package struct BriefReport {
  /// The maximum number of characters in a report.
  package static let characterLimit = 8_000
  /// The maximum number of words in a report about a single failure.
  package static let wordLimit = 400

  private let human: HumanReport
  /// A function that returns the file and line of a failure, if the failure is in a file.
  private let place: (FailureReport) -> SourcePlace?

  package init(_ human: HumanReport, place: @escaping (FailureReport) -> SourcePlace?) {
    (self.human, self.place) = (human, place)
  }

  /// The amounts of text that a report may contain.
  private struct Extent {
    /// The number of failures with proof, cause and remedy.
    var detailed: Int
    /// The number of lines of each proof.
    var proofLines: Int
    /// The number of failures, warnings or notes in each list of single lines.
    var listed: Int
  }

  /// The extents to try, the largest first.
  private static let extents =
    (1...5).reversed().map { Extent(detailed: $0, proofLines: 8, listed: 12) }
    + [6, 4, 2].map { Extent(detailed: 1, proofLines: $0, listed: $0) }

  /// The report, in the largest extent that keeps to the limits.
  package var text: String {
    let texts = BriefReport.extents.lazy.map { lines($0).joined(separator: "\n") }
    if let text = texts.first(where: isShort) { return text }
    let least = lines(Extent(detailed: 1, proofLines: 2, listed: 2)).joined(separator: "\n")
    return BriefReport.clipped(least, to: BriefReport.characterLimit)
  }

  private func isShort(_ text: String) -> Bool {
    text.count <= BriefReport.characterLimit
      && (failing.count > 1
        || text.split(whereSeparator: \.isWhitespace).count
          <= BriefReport.wordLimit)
  }

  private var report: CampaignReport { human.report }

  private var failing: [FailureReport] {
    report.disagreements + report.violations.filter(\.isNew)
  }

  private var warnings: [FailureReport] {
    report.violations.filter { $0.standing == .warning && !$0.isInherent }
  }

  private func lines(_ extent: Extent) -> [String] {
    let detailed = failing.prefix(extent.detailed)
    return [Verdict(report, .plain).line, campaign]
      + detailed.enumerated().flatMap { detail(of: $1, number: $0 + 1, extent) }
      + list(failing.dropFirst(detailed.count).map(line(about:)), "more failures:", extent)
      + list(warnings.map(line(about:)), "warnings, which fail only with --strict:", extent)
      + list(notes, "notes:", extent)
  }

  /// A line such as `300 programs, seed 0x1, 296 of them saved to a store`.
  private var campaign: String {
    "\(grouped(report.runs)) programs, seed 0x\(String(report.settings.seed, radix: 16)), "
      + "\(grouped(report.saves.storingRuns)) of them saved to a store"
  }

  // MARK: A failure

  private func detail(of failure: FailureReport, number: Int, _ extent: Extent) -> [String] {
    let proof = (failure.details ?? "").split(separator: "\n").dropFirst().map {
      "  " + BriefReport.clipped(String($0), to: 160)
    }
    let fields: [(name: String, text: String?, limit: Int)] = [
      ("violation", failure.sentence, 300), ("at", place(failure)?.text, 300),
    ]
    let advice: [(name: String, text: String?, limit: Int)] = [
      ("cause", failure.causeText, 200), ("remedy", failure.remedy, 400),
      ("repeat", command(failure), 600),
    ]
    func texts(_ fields: [(name: String, text: String?, limit: Int)]) -> [String] {
      fields.compactMap { name, text, limit in
        text.map { "  \(name): \(BriefReport.clipped($0, to: limit))" }
      }
    }
    return ["", "\(number). \(title(of: failure))"] + texts(fields)
      + shortened(proof, to: extent.proofLines) + texts(advice)
  }

  /// Returns the kind of a failure with its harm and its frequency.
  private func title(of failure: FailureReport) -> String {
    let harm = failure.invariant?.severity.name ?? FailureGroup.defect.name
    return "\(failure.kind) (\(harm); \(failure.share))"
  }

  private func line(about failure: FailureReport) -> String {
    let place = place(failure).map { " at \($0.text)" } ?? ""
    let sentence = failure.sentence ?? failure.causeText ?? ""
    return "\(title(of: failure))\(place): \(BriefReport.clipped(sentence, to: 160)) "
      + "Repeat: \(command(failure))"
  }

  private func command(_ failure: FailureReport) -> String {
    human.exampleReplay(failure) ?? human.replay(failure)
  }

  // MARK: Lists

  private func list(_ lines: [String], _ title: String, _ extent: Extent) -> [String] {
    if lines.isEmpty { return [] }
    let rest = lines.count - extent.listed
    return ["", title] + lines.prefix(extent.listed).map { "- \($0)" }
      + (rest > 0 ? ["- \(rest) more; list them with '--format human'"] : [])
  }

  /// Keeps the first and the last lines of a proof, which show the values and the violation.
  private func shortened(_ proof: [String], to limit: Int) -> [String] {
    if proof.count <= limit { return proof }
    let end = limit / 2
    let remark = "    … \(proof.count - limit) more lines, shown by the command after 'repeat'"
    return Array(proof.prefix(limit - end)) + [remark] + proof.suffix(end)
  }

  /// Remarks that explain the verdict or limit its meaning.
  private var notes: [String] {
    let inherent = report.violations.filter(\.isInherent).map(\.kind.name)
    let uncalled = report.entryCounts.filter { $0.count == 0 }.map(\.name)
    let untested = report.promiseCounts.filter { $0.count == 0 }.map { "'\($0.text)'" }
    let lists = [
      ("Core Data causes these failures under every such design", inherent),
      ("no program called the entry points", uncalled),
      ("no program tested these promises", untested),
    ].filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1.joined(separator: ", "))" }
    let kept = report.failures.map {
      RegressionCorpusText(folder: $0, detail: .quiet, tool: human.tool).lines
    }
    let hints = Verdict(report, .plain).hints
    let texts = report.shortcomings.map(\.sentence) + lists + (kept ?? []) + hints
    return texts.map { BriefReport.clipped($0, to: 300) }
  }

  private static func clipped(_ text: String, to limit: Int) -> String {
    text.count <= limit ? text : text.prefix(limit - 1) + "…"
  }
}

extension SourcePlace {
  fileprivate var text: String { "\(path):\(line)" }
}
