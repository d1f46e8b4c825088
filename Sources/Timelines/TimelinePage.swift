import Scenario

/// A run as one self-contained page: its bug report, the picture with the steps that prove it, and
/// what every context and store shows at the step that is picked. Of a scenario that is run under
/// all schedules, a tab for each outcome.
package struct TimelinePage {
  private let title: String
  private let outcomes: [RunOutcome]
  /// Of an exploration: how many schedules there are.
  private let summary: String?
  private let crumbs: String
  private let footer: String

  /// `crumbs` and `footer` are HTML, above and below all the rest.
  package init(_ report: RunReport, title: String, crumbs: String = "", footer: String = "") {
    self.init(
      [RunOutcome(report, name: "", note: "")], title: title, summary: nil, crumbs: crumbs,
      footer: footer)
  }

  /// The outcome that is worth looking at first comes first.
  package init(
    _ outcomes: [RunOutcome], title: String, summary: String?, crumbs: String = "",
    footer: String = ""
  ) {
    precondition(!outcomes.isEmpty, "a page of no run")
    self.title = title
    self.outcomes = outcomes
    self.summary = summary
    self.crumbs = crumbs
    self.footer = footer
  }

  package var html: String {
    WebPage(
      title: title, style: TimelinePage.style,
      body: """
        \(crumbs.isEmpty ? "" : "<nav class=\"crumbs\" aria-label=\"Way back\">\(crumbs)</nav>")
        <header>
        <h1>\(escaped(title))</h1>
        \(introduction)
        </header>
        <main>
        \(runs)
        </main>
        \(footer.isEmpty ? "" : "<footer>\(footer)</footer>")
        \(Picture.definitions)
        """,
      script: TimelinePage.script
    ).html
  }

  /// CSS and script of a page that has runs.
  package static let style = RunStyle.style + "\n" + OutcomeTabs.style
  package static let script = RunScript.script + "\n" + OutcomeTabs.script

  /// A kept example says in its prose what its run shows; the page shows that once.
  private var introduction: String {
    outcomes[0].report.scenario.paragraphs
      .filter { !outcomes[0].report.says($0) }.map { "<p>\(escaped($0))</p>" }
      .joined(separator: "\n")
  }

  private var runs: String {
    if summary == nil, outcomes.count == 1 { return RunView(outcomes[0].report).html }
    return OutcomeTabs(outcomes, summary: summary ?? "").html
  }
}
