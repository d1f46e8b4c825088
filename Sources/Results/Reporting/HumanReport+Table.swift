import Campaigns
import Failures
import Prose

/// The table of all failures, sorted by the harm that they do.
extension HumanReport {
  /// The minimum width for causes, which fits the name of a quirk after the word "quirk".
  private static let leastCauseWidth = 38

  var table: [String] {
    let listed = report.violations.filter { !$0.isInherent && $0.standing != .allowed }
    let failures = report.disagreements + listed
    return (failures.isEmpty ? [] : rows(of: failures)) + inherent + leftOut + misuses
  }

  private func rows(of failures: [FailureReport]) -> [String] {
    let nameWidth = 2 + (failures.map(\.kind.name.count).max() ?? 0)
    let countWidth = max(8, failures.map(\.cell.count).max() ?? 0)
    // In a narrow table, causes stand below their failures.
    let isNarrow = width - nameWidth - countWidth - 4 < HumanReport.leastCauseWidth
    var lines = [
      "",
      String(repeating: " ", count: nameWidth + 2)
        + style.faint(
          leftPadded("programs", countWidth)
            + (isNarrow ? "" : "  cause of the smallest example")),
    ]
    var harm: String?
    for failure in failures.sorted(by: { $0.harmRank < $1.harmRank }) {
      if failure.harm != harm { lines.append(style.heading(failure.harm)) }
      harm = failure.harm
      let name = padded("  " + failure.kind.name, nameWidth)
      let cause = [
        distinguishedCause(failure, failures),
        failure.isReported ? nil : "(\(failure.standing.name))",
      ]
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
    return lines
  }

  /// Returns the cause of a failure. Names the error or the promise, too, if another row has the
  /// same kind and cause.
  private func distinguishedCause(
    _ failure: FailureReport, _ failures: [FailureReport]
  ) -> String? {
    let isAlone = failures.allSatisfy {
      $0.kind != failure.kind || $0.causeText != failure.causeText || $0.subject == failure.subject
    }
    let parts = [failure.causeText, isAlone ? nil : failure.subject?.text].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// A remark such as "warning: Core Data causes these failures under every design ('-v' shows
  /// them): temporary ID leak (291 programs)".
  private var inherent: [String] {
    let warnings = report.violations.filter(\.isInherent)
    return list(
      warnings,
      after: "warning: Core Data causes these failures under every design ('-v' shows them): ")
  }

  /// A remark such as "left out: stale copy (49 programs)".
  private var leftOut: [String] {
    list(report.violations.filter { $0.standing == .allowed }, after: "left out: ")
  }

  /// A remark such as "not counted: misuse by the generated program ('--only misuse' shows it):
  /// unsaved changes discarded (38 programs)".
  private var misuses: [String] {
    list(
      report.misuses,
      after: "not counted: misuse by the generated program ('--only misuse' shows it): ")
  }

  private func list(_ failures: [FailureReport], after words: String) -> [String] {
    if failures.isEmpty { return [] }
    let all = failures.map { failure in
      "\(failure.kind)"
        + (failure.metWhileShrinking == nil
          ? " (\(grouped(failure.count)) program\(failure.count == 1 ? "" : "s"))" : "")
    }
    return wrapped(words + all.joined(separator: ", "), indentation: 2, width: width)
  }
}

extension FailureReport {
  /// The harm as a heading: "loses data", "warning: shows old data".
  fileprivate var harm: String {
    guard group != .defect, let invariant else { return FailureGroup.defect.name }
    return (standing == .warning ? "warning: " : "") + invariant.severity.name
  }

  fileprivate var harmRank: Int {
    guard group != .defect, let invariant else { return -1 }
    return invariant.severity.rawValue
  }
}
