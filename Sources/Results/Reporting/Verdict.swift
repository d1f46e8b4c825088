import Campaigns
import Failures
import PropertyTesting
import Prose
import Vocabulary

/// The last line of a report, which says whether the campaign failed and why.
struct Verdict {
  private let report: CampaignReport
  private let style: Style
  /// The standing and the severity of each failure, including failures that only a kept example
  /// showed.
  private let all: [(standing: Standing, severity: Severity?)]

  init(_ report: CampaignReport, _ style: Style) {
    self.report = report
    self.style = style
    let kept = report.failures?.onlyKept ?? []
    all =
      report.violations.map { ($0.standing, $0.invariant?.severity) }
      + kept.map { ($0.standing, $0.kind.invariant?.severity) }
  }

  private enum Word: String {
    case fail = "FAIL"
    case pass = "PASS"
    case known = "KNOWN"
  }

  /// The line, such as
  /// `FAIL  5 failures: 3 lose data, 2 refuse a save; 2 of them seen before; 4 known, 6 warnings`.
  var line: String {
    let (word, sentence) = judgement
    return (word == .fail ? style.bad : style.good)(word.rawValue) + "  " + sentence
  }

  /// The line without its first word.
  var sentence: String { judgement.sentence }

  private var judgement: (word: Word, sentence: String) {
    let warnings = count(.warning)
    let others = [
      (count(.known), "known"), (count(.allowed), "left out"),
      (warnings, "warning\(warnings == 1 ? "" : "s")"),
    ].filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }.joined(separator: ", ")
    if !report.disagreements.isEmpty {
      let reason =
        report.settings.bugs.isEmpty
        ? "a defect of Faultline; please report it" : "a bug is planted"
      return (.fail, "engine and reference model disagree: \(reason)")
    }
    let new = count(.new)
    let isUnexamined = !report.unexamined.isEmpty
    if new == 0, isUnexamined {
      return (.fail, "failures were not examined: the time was up")
    }
    if new == 0, let sentence = report.exerciseSentence {
      return (.fail, sentence)
    }
    guard new > 0 else {
      if others.isEmpty { return (.pass, "no failure") }
      let isKnown = count(.known) > 0
      let words = isKnown || count(.allowed) > 0 ? "no new failure" : "no failure"
      return (isKnown ? .known : .pass, "\(words); \(others)")
    }
    let rest =
      (others.isEmpty ? "" : "; \(others)")
      + (isUnexamined ? "; other failures were not examined" : "")
    if new == 1, let harm = all.first(where: { $0.standing == .new })?.severity {
      return (.fail, "1 failure, which \(harm.name)\(repeated)" + rest)
    }
    let harms = Severity.allCases.compactMap { severity -> String? in
      let count = all.count { $0.standing == .new && $0.severity == severity }
      return count == 0 ? nil : "\(grouped(count)) \(severity.clause(count: count))"
    }.joined(separator: ", ")
    return (.fail, "\(grouped(new)) failure\(new == 1 ? "" : "s"): \(harms)\(repeated)" + rest)
  }

  private func count(_ standing: Standing) -> Int { all.count { $0.standing == standing } }

  /// A text about the number of failures that an earlier campaign kept.
  private var repeated: String {
    guard let kept = report.failures?.kept.count(where: \.isNew), kept > 0 else { return "" }
    // Two kept failures may now be one failure.
    return kept >= count(.new)
      ? ", seen before" : "; \(grouped(kept)) of them seen before"
  }

  /// Hints about options, or additions to the stack, that are easily overlooked.
  var hints: [String] { similarKinds + confinement + uncalled + assurance }

  /// Returns the hints as notes at the end of a report.
  func notes(width: Int) -> [String] {
    hints.isEmpty
      ? [] : [""] + hints.flatMap { wrapped($0, after: "note: ", indentation: 6, width: width) }
  }

  /// Hints about kinds whose names begin with the name of an allowed kind.
  private var similarKinds: [String] {
    report.allowed.compactMap { filter in
      let name = filter.name
      let similar = report.violations.filter { $0.isNew && $0.kind.name.hasPrefix(name + " ") }
      guard !similar.isEmpty else { return nil }
      return "--allow '\(name)' does not cover " + enumerated(similar.map(\.kind.name))
        + "; add an --allow for each kind"
    }
  }

  /// A hint for a design that does not declare what its app does.
  private var confinement: [String] {
    guard let stack = report.settings.stack, stack.entryPoints.isEmpty,
      report.violations.contains(where: { $0.isNew && $0.group == .design })
    else { return [] }
    return [
      "the stack has no entry points, so programs use every context freely; declare the app's "
        + "operations with 'entry', and mark contexts that only entry points use as 'hidden'"
    ]
  }

  private var uncalled: [String] {
    report.excludesCalls
      ? ["the options exclude 'call', so programs called no entry point of the stack"] : []
  }

  /// The number of programs below which the absence of a failure means nothing.
  private static let leastRuns = 20

  /// How rare a failure may be after a campaign without one.
  private var assurance: [String] {
    let isWhole = count(.known) == 0 && count(.allowed) == 0
    guard report.passes, isWhole, report.runs >= Verdict.leastRuns else { return [] }
    return [
      "no failure in \(grouped(report.runs)) programs: a failure as frequent as 1 in "
        + "\(grouped(Ratio.rarestShown(byRuns: report.runs))) would have shown with 95 % confidence"
    ]
  }
}
