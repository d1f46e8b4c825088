import Scenario

/// A run as a self-contained page, with its bug report and the picture with the steps that prove
/// it. The page also shows the state of every context and store at the selected step. A scenario
/// that runs under all schedules has a tab for each outcome.
package struct TimelinePage {
  private let title: String
  private let outcomes: [RunOutcome]
  /// A summary of an exploration, such as the number of schedules, or nil for a single run.
  private let summary: String?
  private let crumbs: String
  private let footer: String

  /// Creates the page of a single run. `crumbs` and `footer` are HTML at the top and the bottom of
  /// the page.
  package init(_ report: RunReport, title: String, crumbs: String = "", footer: String = "") {
    self.init(
      [RunOutcome(report, name: "", note: "")], title: title, summary: nil, crumbs: crumbs,
      footer: footer)
  }

  /// Creates the page of several outcomes. The most interesting outcome comes first.
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
        \(crumbs.isEmpty ? "" : "<nav class=\"crumbs\" aria-label=\"Breadcrumbs\">\(crumbs)</nav>")
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

  /// The CSS and the script of a page that shows runs.
  package static let style =
    WebPage.text(of: PackageResources.run_css) + WebPage.text(of: PackageResources.tabs_css)
  package static let script =
    WebPage.text(of: PackageResources.run_state_js) + WebPage.text(of: PackageResources.run_js)
    + WebPage.text(of: PackageResources.tabs_js)

  /// The prose that the page does not already show. The prose of a kept example describes its run,
  /// which the page shows anyway.
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
