import Campaigns
import Failures
import Prose

/// The end of a report: the causes of the failures, the command that shows the worst failure as a
/// page, and the options that accept the failures.
extension HumanReport {
  /// The maximum number of causes that are listed.
  private static let listedCauses = 4

  var nextSteps: [String] {
    let failing = report.violations.filter(\.isNew)
    guard detail != .quiet, report.disagreements.isEmpty, let worst = failing.first else {
      return []
    }
    let causes = causes(of: failing)
    var lines = [
      "",
      causes.count == 1 ? "one cause:" : "\(causes.count) causes, with their failures:",
    ]
    lines += causes.prefix(HumanReport.listedCauses).flatMap { cause, kinds in
      wrapped("\(cause): \(kinds.joined(separator: ", "))", after: "   ")
    }
    if causes.count > HumanReport.listedCauses {
      let rest = causes.dropFirst(HumanReport.listedCauses).map(\.cause)
      lines += wrapped("further causes: \(rest.joined(separator: "; "))", after: "   ")
    }
    lines += ["", "next:"]
    if let command = exampleReplay(worst) {
      lines.append("   show the worst failure   \(command) --html failure.html")
    }
    let names = unique(failing.map(\.kind.name))
    // One line, as it is to be typed.
    let options = names.map { "--allow '\($0)'" }.joined(separator: " ")
    return lines + ["   accept these failures    \(options)"]
  }

  /// The causes of failures, each with the kinds of failure that it brings about. A cause of many
  /// kinds comes first.
  private func causes(of failures: [FailureReport]) -> [(cause: String, kinds: [String])] {
    let causes = unique(failures.compactMap(\.causeText)).map { cause in
      (cause: cause, kinds: unique(failures.filter { $0.causeText == cause }.map(\.kind.name)))
    }
    // `sorted` is stable: of causes of as many kinds, that of the worse failure comes first.
    return causes.sorted { a, b in a.kinds.count > b.kinds.count }
  }

  private func unique(_ texts: [String]) -> [String] {
    var seen: [String] = []
    for text in texts where !seen.contains(text) { seen.append(text) }
    return seen
  }

  private func wrapped(_ text: String, after start: String) -> [String] {
    Prose.wrapped(text, after: start, indentation: max(6, start.count), width: width)
  }
}
