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

/// A campaign as one self-contained page: what was violated, how often, the smallest program of
/// each as a picture with its proof; and how far the campaign came, step by step and over time.
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
      title: "Campaign \(seed)", style: CampaignPage.style,
      body: """
        <header>
        <h1>\(title)</h1>
        <p>\(headline)</p>
        <p>\(agreement)</p>
        </header>
        <main>
        <h2>Violations</h2>
        \(violations)
        \(failures.enumerated().map { section($1, number: $0) }.joined(separator: "\n"))
        <h2>How far it came</h2>
        <div class="columns">
        <section><h3>Steps</h3>\(steps)</section>
        <section><h3>Marks</h3><p>\(escaped(markSummary))</p>\(marks)</section>
        </div>
        \(curves)
        </main>
        \(Picture.definitions)
        <script>
        \(CampaignPage.script)
        </script>
        """
    ).html
  }

  private var title: String {
    if failures.isEmpty { return "No invariant was violated" }
    let count = failures.count(where: \.isNew)
    return count == 0
      ? "Nothing new: known failures only"
      : "\(count) new failure\(count == 1 ? "" : "s")"
  }

  private var seed: String { "0x" + String(report.settings.seed, radix: 16) }

  private var headline: String {
    return "\(report.isComplete ? "" : "Stopped after ")\(grouped(report.runs)) programs, "
      + "\(grouped(report.steps)) steps, under profile \(report.settings.profile.rawValue), from seed "
      + "<code>\(seed)</code>; digest <code>\(hex(report.digest))</code>. "
      + "\(grouped(report.stateCount)) abstract states, the last new one in program "
      + "\(grouped(report.lastNewState))."
  }

  private var agreement: String {
    report.disagreements.isEmpty
      ? "Engine and reference model agreed on every step."
      : "<strong class=\"bad\">Engine and reference model disagree: "
        + (report.settings.bugs.isEmpty
          ? "a bug of Faultline's, please report it.</strong>" : "a bug is planted.</strong>")
  }

  // MARK: Failures

  private var violations: String {
    if failures.isEmpty { return "<p class=\"fine\">No invariant was violated.</p>" }
    let rows = failures.enumerated().map { index, failure in
      let share = Double(failure.count) / Double(max(1, report.runs))
      let standing =
        switch failure.standing {
        case .known: escaped(failure.precedent ?? "")
        case .allowed: "left out"
        case .new: "<strong class=\"bad\">new</strong>"
        }
      let cells = [
        "<a href=\"#failure-\(index)\">\(escaped(failure.kind.name))</a>",
        failure.cell + "<i class=\"bar\" style=\"width:\(percent(share))\"></i>",
        failure.firstRun == 0 ? "–" : grouped(failure.firstRun), escaped(failure.cause?.text ?? ""),
        "\(failure.stepCount)",
        standing,
      ]
      let row = zip(CampaignPage.columns, cells).map { column, cell in
        "<td data-label=\"\(column.label)\"\(column.isNumber ? " class=\"number\"" : "")>\(cell)</td>"
      }
      return "<tr data-open=\"\(index)\">\(row.joined())</tr>"
    }
    let heads = CampaignPage.columns.map { "<th>\($0.label)</th>" }.joined()
    return """
      <div class="wide"><table id="violations"><thead><tr>\(heads)</tr></thead><tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table></div>
      """
  }

  private static let columns: [(label: String, isNumber: Bool)] = [
    ("violation", false), ("programs", true), ("first in", true), ("cause", false),
    ("steps", true), ("known from", false),
  ]

  private func section(_ failure: FailureReport, number: Int) -> String {
    let isOpen = failure.isNew
    let details = (failure.details ?? "").split(separator: "\n").map { escaped(String($0)) }
    let remedy = failure.remedy
    var parts = [
      "<details class=\"failure\" id=\"failure-\(number)\"\(isOpen ? " open" : "")>",
      "<summary>\(escaped(failure.kind.name))</summary>",
    ]
    if let invariant = failure.invariant {
      parts.append("<p>Violated: \(escaped(invariant.sentence)).</p>")
    }
    if let first = details.first {
      let proof = details.dropFirst().joined(separator: "\n")
      parts.append(
        "<section class=\"finding\"><strong>\(first)</strong>"
          + (proof.isEmpty ? "" : "<pre>\(proof)</pre>") + "</section>")
    }
    parts.append("<p class=\"faint\">Stack: \(escaped(failure.example.stackInWords))</p>")
    parts.append(
      "<div class=\"wide\">\(Picture(failure.timeline).element(hasDefinitions: false))</div>")
    if let cause = failure.cause { parts.append("<p>Cause: \(escaped(cause.text)).</p>") }
    if let remedy { parts.append("<p>Remedy: \(escaped(remedy))</p>") }
    let sentences = [failure.certificate.sentence] + failure.explanation.text
    parts += sentences.map { "<p class=\"faint\">\(escaped($0))</p>" }
    parts.append(
      "<p><button type=\"button\" class=\"copy\">copy</button> <code>\(escaped(replay(failure)))</code></p>"
    )
    parts.append("</details>")
    return parts.joined(separator: "\n")
  }

  // MARK: Counts

  private var steps: String {
    let sorted = report.stepCounts.sorted { a, b in (-a.count, a.verb) < (-b.count, b.verb) }
    let most = Double(sorted.first?.count ?? 1)
    return table(sorted.map { (String($0.verb), $0.count, Double($0.count) / most) })
  }

  private var markSummary: String {
    let missed = report.coverage.unreached.count
    return
      "\(Mark.allCases.count - missed) of \(Mark.allCases.count) rare branches of the engine were reached; "
      + "the last new one in program \(grouped(report.lastNewMark))."
  }

  private var marks: String {
    let counts = Mark.allCases.map { ($0.name, report.coverage[$0]) }
      .sorted { a, b in (a.1, a.0) < (b.1, b.0) }
    return table(counts.map { ($0.0, $0.1, Double($0.1) / Double(max(1, report.runs))) })
  }

  private func table(_ rows: [(name: String, count: Int, share: Double)]) -> String {
    "<div class=\"counts\"><table><tbody>"
      + rows.map { row in
        "<tr\(row.count == 0 ? " class=\"none\"" : "")><td>\(escaped(row.name))</td>"
          + "<td class=\"number\">\(grouped(row.count))<i class=\"bar\" style=\"width:\(percent(row.share))\"></i></td></tr>"
      }.joined(separator: "\n") + "</tbody></table></div>"
  }

  /// With one digit behind the point: no locale, no rounding that differs between systems.
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
    return "<h2>Over time</h2><div class=\"columns\">"
      + [("steps a second", rates), ("abstract states", states), ("kinds of failure", kinds)]
      .map { Curve(title: $0.0, points: $0.1).element }.joined(separator: "\n") + "</div>"
  }

  // MARK: Looks

  private static let style = """
    main{padding:0 18px 40px}h2{font-size:17px;margin:22px 0 8px}h3{font-size:14px;margin:10px 0 4px}
    .bad{color:var(--bad)}.faint{color:var(--faint)}.wide{overflow-x:auto}
    .columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,320px),1fr));gap:18px}
    .number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
    .bar{display:block;height:3px;background:var(--save);margin:2px 0 0 auto}
    .none td{color:var(--bad)}.counts{max-height:340px;overflow:auto}
    details.failure{border:1px solid var(--rule);border-radius:8px;padding:6px 12px;margin:10px 0}
    details.failure[open]{padding-bottom:12px}summary{cursor:pointer;font-weight:600;font-size:15px}
    code{font:12px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;overflow-wrap:anywhere}
    .curve .line{fill:none;stroke:var(--save);stroke-width:1.6}.curve text{font-size:11px;fill:var(--faint)}
    .curve .axis{stroke:var(--rule)}.copy{padding:1px 8px;font-size:12px}tbody tr[data-open]{cursor:pointer}
    @media(min-width:761px){#violations td:first-child{white-space:nowrap}}
    @media(max-width:760px){#violations thead{display:none}#violations tr{display:block;margin:0 0 10px}
    #violations td{display:flex;gap:12px;justify-content:space-between;text-align:right;border-bottom:0}
    #violations td:last-child{border-bottom:1px solid var(--rule)}#violations .bar{display:none}
    #violations td::before{content:attr(data-label);color:var(--faint);text-align:left;white-space:nowrap}}
    """

  private static let script = #"""
    "use strict";
    function open(id) {
      const part = document.getElementById("failure-" + id);
      if (!part) return;
      part.open = true;
      part.scrollIntoView({ block: "start" });
    }
    document.querySelectorAll("[data-open]").forEach(row => row.addEventListener("click", event => {
      event.preventDefault();
      open(row.dataset.open);
    }));
    document.querySelectorAll("#violations th").forEach((head, column) => {
      head.style.cursor = "pointer";
      head.addEventListener("click", () => {
        const body = document.querySelector("#violations tbody");
        const text = row => row.children[column].textContent.replaceAll(",", "");
        const isNumber = [...body.rows].every(row => !isNaN(parseFloat(text(row))));
        const order = head.dataset.order = head.dataset.order === "down" ? "up" : "down";
        const sign = (order === "down") === isNumber ? -1 : 1;
        const rows = [...body.rows].sort((a, b) => sign * (isNumber
          ? parseFloat(text(a)) - parseFloat(text(b)) : text(a).localeCompare(text(b))));
        body.replaceChildren(...rows);
      });
    });
    document.querySelectorAll(".copy").forEach(button => button.addEventListener("click", async () => {
      const line = button.parentElement.querySelector("code");
      try {
        await navigator.clipboard.writeText(line.textContent);
        button.textContent = "copied";
      } catch {
        // A page from a file may not; then it can be copied by hand.
        getSelection().selectAllChildren(line);
        button.textContent = "selected";
      }
    }));
    """#
}
