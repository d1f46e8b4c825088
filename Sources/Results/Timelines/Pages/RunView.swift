import Failures
import ObjectModel
import Prose
import Scenario
import Vocabulary

/// A run on a page, with its bug report and an interactive picture. Beside them are the stack,
/// and the state of every context and store at the selected step. A page may contain several runs.
package struct RunView {
  private let report: RunReport
  /// The ID of the run's element, unique on the page.
  private let id: String
  private let picture: Picture
  /// A sentence about omitted moments, or nil if the page shows all of them.
  private let note: String?

  package init(_ report: RunReport, id: String = "run") {
    self.init(report, id: id, parting: nil)
  }

  init(_ report: RunReport, id: String, parting: (moment: Int, text: String)?) {
    let first: Int
    (self.report, first, note) = report.shortened()
    self.id = id
    let timeline = self.report.timeline
    let parting = parting.map { (moment: $0.moment - first, text: $0.text) }
    picture = Picture(
      timeline, showing: report.main,
      parting: parting.flatMap { timeline.moments.indices.contains($0.moment) ? $0 : nil })
  }

  package var html: String {
    """
    <div class="run" id="\(id)" role="group" aria-label="\(escaped(title))">
    \(RunVerdict(report).html)
    <div class="work">
    <div class="stage">
    \(note.map { "<p>\(escaped($0))</p>" } ?? "")
    \(toolbar)
    <div class="picture">
    <div class="heads-frame">
    \(picture.heads)
    </div>
    <div class="frame\(picture.isFocused ? " focus" : "")\(isLong ? " long" : "")">
    \(picture.body)
    </div>
    </div>
    \(StepList(picture).html)
    </div>
    <div class="side">
    <div class="stack"><h3>Stack</h3>
    \(StackTree(report).html)</div>
    \(report.command.map(WebPage.command) ?? "")
    \(inspector)
    </div>
    </div>
    \(report.decisions.map { DecisionList($0, of: report.timeline).html } ?? "")
    \(StateList(report.timeline).html)
    \(remarks)
    \(RunFacts(report).html)
    <script type="application/json" class="data">\(RunData(picture).json)</script>
    </div>
    """
  }

  /// A Boolean value that indicates whether the picture scrolls separately. Otherwise, elements
  /// below a long picture would be out of reach.
  private var isLong: Bool { report.timeline.isLong }

  private var title: String {
    report.main.map { report.timeline.findings[$0].kind.name } ?? "A run without violations"
  }

  private var remarks: String {
    if report.remarks.isEmpty { return "" }
    return "<div class=\"under\"><h3>Details</h3>\n"
      + report.remarks.map { "<p>\(escaped($0))</p>" }.joined(separator: "\n") + "</div>"
  }

  private var toolbar: String {
    let focus =
      picture.isFocused
      ? "<div class=\"choice\" role=\"group\" aria-label=\"Highlighted steps\">"
        + "<button type=\"button\" class=\"focus-on\" aria-pressed=\"true\">Proof</button>"
        + "<button type=\"button\" class=\"focus-off\" aria-pressed=\"false\">All</button></div>"
      : ""
    return """
      <div class="toolbar scripted">
      \(focus)
      <div class="choice zoom" role="group" aria-label="Zoom"><button type="button" class="smaller" \
      aria-label="Smaller">−</button><button type="button" class="larger" \
      aria-label="Larger">+</button><button type="button" class="fit">Fit</button></div>
      <input type="search" class="find" placeholder="Find a step" aria-label="Find a step">
      <span class="found-count fine" role="status"></span>
      <span class="legend fine"><i class="save"></i>save <i class="merge"></i>merge \
      <i class="hop"></i>enqueued block\(legendOfViolation)</span>
      </div>
      """
  }

  /// The legend for the red parts of the picture.
  private var legendOfViolation: String {
    let findings = report.timeline.findings
    let cycle =
      findings.contains { !$0.cycle.isEmpty }
      ? " <i class=\"cycle\"></i>cycle of a deadlock" : ""
    return (picture.isFocused ? " <b>1</b>proof" : "") + cycle
  }

  private var inspector: String {
    """
    <div class="inspector scripted" role="group" aria-label="Selected step">
    <div class="moves"><button type="button" class="previous">↑ Earlier</button>
    <button type="button" class="next">↓ Later</button> <span class="position fine"></span>
    <button type="button" class="unfold" aria-expanded="false">More</button>
    <input type="range" class="slider" min="1" max="\(max(1, report.timeline.moments.count))" \
    value="1" aria-label="Moment"></div>
    <div aria-live="polite"><p class="what mono"></p>
    <p class="when fine"></p>
    <ul class="carried mono"></ul></div>
    <table class="changes"><caption>Changed by this step</caption><tbody></tbody></table>
    <div class="instead"><h4>Could have run instead</h4><ul></ul></div>
    <details class="events"><summary>Callbacks and notifications</summary>
    <ul class="details mono"></ul></details>
    <details class="after" open><summary>State after this step</summary>
    <div class="now"></div></details>
    <details class="state"><summary>Values side by side</summary>
    <div class="wide" tabindex="0" role="group" aria-label="Values side by side">\
    <table class="places"><thead></thead><tbody></tbody></table></div></details>
    </div>
    """
  }
}

/// The conditions of a run, such as model, system and version, and the program as a file.
struct RunFacts {
  private let report: RunReport

  init(_ report: RunReport) { self.report = report }

  private var scenario: Scenario { report.scenario }

  var html: String {
    let rows = facts.map { name, value in
      "<div><dt>\(name)</dt><dd>\(escaped(value))</dd></div>"
    }
    return """
      <div class="under">
      <h3>Conditions of the run</h3>
      <dl class="facts">\(rows.joined(separator: "\n"))</dl>
      <details><summary>Model: \(escaped(entities))</summary>
      <pre>\(escaped(model))</pre></details>
      <details><summary>The program as a scenario file</summary>
      <pre>\(escaped(ScenarioText.print(complete)))</pre></details>
      </div>
      """
  }

  private var facts: [(String, String)] {
    let quirks = scenario.quirks.map(\.name).joined(separator: ", ")
    // The picture shows the schedule of a long run better.
    let schedule: String? =
      switch scenario.interleave {
      case .inOrder: nil
      case .every: "every schedule"
      case .choices: report.timeline.isLong ? nil : report.timeline.order()
      }
    let all: [(String, String?)] = [
      ("Profile", (scenario.profile ?? .current).rawValue),
      ("Additional quirks", quirks.isEmpty ? nil : quirks),
      ("Options", report.options.isEmpty ? nil : report.options.joined(separator: " ")),
      ("Schedule", schedule), ("Faultline", "version \(faultlineVersion)"),
    ]
    return all.compactMap { name, value in value.map { (name, $0) } }
  }

  /// The scenario with its model in the text.
  private var complete: Scenario {
    var scenario = scenario
    scenario.modelPath = nil
    return scenario
  }

  private var entities: String {
    let names = scenario.model.entities.map(\.name)
    return names.prefix(6).joined(separator: ", ") + (names.count > 6 ? ", …" : "")
  }

  /// The model section of the scenario file, without heading and indentation.
  private var model: String {
    var bare = Scenario(
      name: "model", evidence: .inferred, model: scenario.model, stack: scenario.stack)
    bare.names = scenario.names
    let lines = ScenarioText.print(bare).split(separator: "\n", omittingEmptySubsequences: false)
    return lines.drop { $0 != "model" }.dropFirst().prefix { $0.hasPrefix("  ") }
      .map { $0.dropFirst(2) }.joined(separator: "\n")
  }
}
