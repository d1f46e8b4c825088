import Failures
package import Campaigns
import Foundation
import Invariants
import Prose
import ScenarioChecking
import Shrinking
import SimulatedCoreData
import Timelines
import Vocabulary

/// A campaign as a self-contained page. The page shows each violation with its frequency, and the
/// smallest program with its proof and an interactive picture. It also shows the progress of the
/// campaign, by step and over time.
package struct CampaignPage {
  private let report: CampaignReport
  private let samples: Samples
  private let replay: (FailureReport) -> String

  package init(
    _ report: CampaignReport, samples: Samples = Samples(),
    replay: @escaping (FailureReport) -> String
  ) {
    self.report = report
    self.samples = samples
    self.replay = replay
  }

  private var failures: [FailureReport] { report.disagreements + report.violations }

  package var html: String {
    WebPage(
      title: "Campaign \(seed)",
      style: TimelinePage.style + WebPage.text(of: PackageResources.campaign_css),
      body: """
        <header>
        <h1>\(title)</h1>
        <p>\(headline)</p>
        <p>\(agreement)</p>
        </header>
        <main>
        <h2>Violations</h2>
        \(violations)
        \(legend)
        \(failures.indices.map(section).joined(separator: "\n"))
        <h2>Coverage</h2>
        <div class="columns">
        <section><h3>Steps</h3>\(steps)</section>
        \(calls)
        <section><h3>Rare branches of the engine</h3><details><summary>\(escaped(markSummary))\
        </summary>\(marks)</details></section>
        </div>
        \(curves)
        </main>
        \(Picture.definitions)
        """,
      script: TimelinePage.script + WebPage.text(of: PackageResources.campaign_js)
    ).html
  }

  private var title: String {
    if failures.isEmpty {
      if !report.unexamined.isEmpty { return "Failures were not examined: the time was up" }
      return report.exercisesLittle
        ? "Too few programs saved to a store" : "No invariant was violated"
    }
    let count = failures.count(where: \.isNew)
    if count == 0, report.exercisesLittle { return "Too few programs saved to a store" }
    return count == 0 ? "No new failures" : escaped(Verdict(report, .plain).sentence)
  }

  private var seed: String { "0x" + String(report.settings.seed, radix: 16) }

  private var headline: String {
    return "\(report.isComplete ? "" : "Stopped after ")\(grouped(report.runs)) programs, "
      + "\(grouped(report.steps)) steps, under profile \(report.settings.profile.rawValue), from seed "
      + "<code>\(seed)</code>; digest <code>\(hex(report.digest))</code>. "
      + "\(grouped(report.stateCount)) abstract states; program \(grouped(report.lastNewState)) "
      + "reached the last new state."
  }

  private var agreement: String {
    report.disagreements.isEmpty
      ? "Engine and reference model agreed on every step."
      : "<strong class=\"bad\">Engine and reference model disagree: "
        + (report.settings.bugs.isEmpty
          ? "a defect of Faultline; please report it.</strong>" : "a bug is planted.</strong>")
  }

  // MARK: Failures

  private var violations: String {
    let shortcomings = report.shortcomings.map { "<p class=\"bad\">\(escaped($0.sentence))</p>" }
      .joined()
    if failures.isEmpty {
      return shortcomings.isEmpty
        ? "<p class=\"fine\">No invariant was violated.</p>" : shortcomings
    }
    let columns = CampaignPage.columns.filter {
      $0.name != "of-standing" || failures.contains { !$0.isNew }
    }
    let rows = failures.enumerated().map { index, failure in
      let share = Double(failure.count) / Double(max(1, report.runs))
      let standing =
        switch failure.standing {
        case .known: "known: \(escaped(failure.precedent ?? ""))"
        case .allowed, .warning: failure.standing.name
        case .new: "<strong class=\"bad\">new</strong>"
        }
      let cells = [
        "<a href=\"#failure-\(index)\">\(escaped(failure.kind.name))</a>",
        failure.cell + "<i class=\"bar\" style=\"width:\(percent(share))\"></i>",
        failure.firstRun == 0 ? "–" : grouped(failure.firstRun), escaped(failure.causeText ?? ""),
        escaped(failure.group.name), "\(failure.stepCount)", standing,
      ]
      let row = zip(columns, cells).map { column, cell in
        "<td data-label=\"\(column.label)\" class=\"\(column.name)\(column.isNumber ? " number" : "")\">"
          + "\(cell)</td>"
      }
      return "<tr data-open=\"\(index)\">\(row.joined())</tr>"
    }
    let heads = columns.map { column in
      "<th scope=\"col\"><button type=\"button\" class=\"sort\">\(column.label)</button></th>"
    }.joined()
    return """
      \(shortcomings)
      <div class="wide"><table id="violations"><thead><tr>\(heads)</tr></thead><tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table></div>
      """
  }

  /// The meanings of the failure groups, and the misuses that are not counted.
  private var legend: String {
    let groups = FailureGroup.allCases.filter { group in failures.contains { $0.group == group } }
    var lines = groups.map { "<b>\(escaped($0.name))</b>: \(escaped($0.meaning))." }
    let misuses = report.misuses.map { "\($0.kind) (\($0.cell))" }.joined(separator: ", ")
    if !misuses.isEmpty {
      lines.append(
        "<b>not counted</b>: misuse by generated programs "
          + "(<code>--only misuse</code> shows it): \(escaped(misuses)).")
    }
    return lines.isEmpty ? "" : "<p class=\"fine groups\">\(lines.joined(separator: "<br>"))</p>"
  }

  /// The columns of the table. The last column appears only if some failures are not new.
  private static let columns: [(name: String, label: String, isNumber: Bool)] = [
    ("of-kind", "violation", false), ("of-count", "programs", true),
    ("of-first", "first program", true),
    ("of-cause", "cause", false), ("of-group", "group", false), ("of-steps", "steps", true),
    ("of-standing", "status", false),
  ]

  /// Returns the section of a failure. Only the first new failure is open, because readers begin
  /// with the table.
  private func section(_ number: Int) -> String {
    let failure = failures[number]
    let isOpen = number == failures.firstIndex(where: \.isNew)
    var report = RunReport(failure, command: replay(failure))
    report.exploreExample()
    return """
      <details class="failure" id="failure-\(number)"\(isOpen ? " open" : "")>
      <summary>\(escaped(failure.kind.name)) <span class="fine">\(escaped(failure.group.name)), \
      \(escaped(failure.frequency))</span></summary>
      \(RunView(report, id: "example-\(number)").html)
      <p><a href="#violations">All violations</a></p>
      </details>
      """
  }

  // MARK: Counts

  private var steps: String {
    let sorted = report.stepCounts.sorted { a, b in (-a.count, a.verb) < (-b.count, b.verb) }
    let most = Double(sorted.first?.count ?? 1)
    return table("Steps", sorted.map { (String($0.verb), $0.count, Double($0.count) / most) })
  }

  /// A table of calls that shows whether the app's functions were exercised. Empty without entry
  /// points.
  private var calls: String {
    if report.entryCounts.isEmpty { return "" }
    let most = Double(max(1, report.entryCounts.map(\.count).max() ?? 1))
    let rows = report.entryCounts.map { ($0.name, $0.count, Double($0.count) / most) }
    return
      "<section><h3>Entry points called</h3>\(table("Entry points called", rows))</section>"
  }

  private var markSummary: String {
    let missed = report.coverage.unreached.count
    return
      "\(Mark.allCases.count - missed) of \(Mark.allCases.count) branches were reached; "
      + "program \(grouped(report.lastNewMark)) reached the last new branch"
  }

  private var marks: String {
    let counts = Mark.allCases.map { ($0.name, report.coverage[$0]) }
      .sorted { a, b in (a.1, a.0) < (b.1, b.0) }
    let rows = counts.map { ($0.0, $0.1, Double($0.1) / Double(max(1, report.runs))) }
    return table("Marks", rows, isNoneBad: false)
  }

  private func table(
    _ label: String, _ rows: [(name: String, count: Int, share: Double)], isNoneBad: Bool = true
  ) -> String {
    "<div class=\"counts\" tabindex=\"0\" role=\"group\" aria-label=\"\(label)\"><table><tbody>"
      + rows.map { row in
        "<tr\(row.count == 0 && isNoneBad ? " class=\"none\"" : "")><td>\(escaped(row.name))</td>"
          + "<td class=\"number\">\(grouped(row.count))<i class=\"bar\" style=\"width:\(percent(row.share))\"></i></td></tr>"
      }.joined(separator: "\n") + "</tbody></table></div>"
  }

  /// Returns a percentage with one decimal digit. The text does not depend on a locale or on the
  /// rounding of a system.
  private func percent(_ share: Double) -> String {
    let tenths = Int(share * 1_000)
    return "\(tenths / 10).\(tenths % 10)%"
  }

  // MARK: Time

  private var curves: String {
    let all = samples.all
    guard all.count >= 3 else { return "" }
    var rates: [(Double, Double)] = []
    for (a, b) in zip(all, all.dropFirst()) where b.seconds > a.seconds {
      rates.append((b.seconds, Double(b.steps - a.steps) / (b.seconds - a.seconds)))
    }
    let states = all.map { ($0.seconds, Double($0.states)) }
    let kinds = all.map { ($0.seconds, Double($0.kinds)) }
    return "<h2>Progress over time</h2><div class=\"columns\">"
      + [("steps per second", rates), ("abstract states", states), ("kinds of failure", kinds)]
      .map { Curve(title: $0.0, points: $0.1).element }.joined(separator: "\n") + "</div>"
  }
}
