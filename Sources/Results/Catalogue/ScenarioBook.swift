import Failures
import Execution
import Foundation
import Invariants
import Prose
import Reporting
package import Scenario
import ScenarioChecking
import SimulatedCoreData
import Timelines
import Vocabulary

/// A static site of all scenarios: a page with a picture for each scenario, and a first page. The
/// first page shows surprising behaviours, and an index by subject, quirk, invariant and fact.
package struct ScenarioBook {
  /// A page of the site.
  package struct Page {
    /// The path relative to the site's folder.
    package let path: String
    package let html: String
  }

  private struct Entry {
    var scenario: Scenario
    /// The path of the scenario's file.
    var file: String
    /// The name of the folder that contains the file.
    var subject: String
    var path: String
    /// The kinds of violations that the scenario shows.
    var kinds: [FailureKind]
    var facts: [FactID]
  }

  private var entries: [Entry] = []
  private let facts: FactList?
  /// The pages of the site. The index is the last page.
  package private(set) var pages: [Page] = []

  /// Creates the pages.
  ///
  /// - Parameter facts: The sentences that are shown beside the IDs of facts.
  /// - Complexity: At least one run of every scenario.
  package init(_ scenarios: [(path: String, scenario: Scenario)], facts: FactList?) {
    self.facts = facts
    for (path, scenario) in scenarios {
      var configuration = RunConfiguration(model: scenario.model, quirks: scenario.quirkSet)
      configuration.checkLevel = .scenario
      let outcome = ProgramRunner(configuration).run(Program(scenario))
      let subject = path.split(separator: "/").dropLast().last.map(String.init) ?? "Scenarios"
      let entry = Entry(
        scenario: scenario, file: path, subject: subject,
        path: freePath("\(subject)/\(scenario.name)"), kinds: outcome.failureKinds,
        facts: scenario.citedFacts)
      entries.append(entry)
      pages.append(Page(path: entry.path, html: page(of: entry)))
    }
    pages.append(Page(path: "index.html", html: index))
  }

  /// Returns an unused path, because folders with the same name can contain scenarios with the same
  /// name.
  private func freePath(_ name: String) -> String {
    var (path, number) = ("\(name).html", 1)
    while entries.contains(where: { $0.path == path }) {
      number += 1
      path = "\(name)-\(number).html"
    }
    return path
  }

  // MARK: One scenario

  private func page(of entry: Entry) -> String {
    let scenario = entry.scenario
    let runner = ScenarioRunner(scenario)
    var page = ScenarioPage(
      runner, command: "faultline replay \(HumanReport.quoted(entry.file))")
    page.crumbs =
      "<a href=\"../index.html\">All scenarios</a> › "
      + "<a href=\"../index.html#\(ScenarioBook.anchor("subject", entry.subject))\">\(escaped(entry.subject))</a>"
    let exploration = scenario.interleave == .every ? Exploration(runner) : nil
    page.footer = footer(of: entry, runner, exploration)
    return exploration.map { page.html(of: $0) } ?? page.html
  }

  private func footer(
    of entry: Entry, _ runner: ScenarioRunner, _ exploration: Exploration?
  ) -> String {
    let scenario = entry.scenario
    let outcomes = exploration.map { exploration in
      "<details><summary>All schedules</summary><pre>"
        + escaped(ExplorationReport(exploration, of: runner).text) + "</pre></details>"
    }
    let remark = scenario.contradicts.map {
      "<p>Apple's documentation says otherwise: \(escaped($0))</p>"
    }
    let quirks = scenario.quirks.map {
      "<a href=\"../index.html#\(ScenarioBook.anchor("quirk", $0.name))\">\($0.name)</a>"
    }
    let facts = entry.facts.map { id in
      "<li><a href=\"../index.html#\(ScenarioBook.anchor("fact", id.description))\">\(id)</a> "
        + escaped(self.facts?[id]?.sentence ?? "") + "</li>"
    }
    return """
      <h2>Evidence</h2>
      <p>\(capitalized(scenario.evidence.rawValue))\
      \(quirks.isEmpty ? "" : "; needs \(quirks.joined(separator: ", "))")</p>
      \(remark ?? "")
      \(facts.isEmpty ? "" : "<ul>\(facts.joined())</ul>")
      \(outcomes ?? "")
      """
  }

  private func capitalized(_ word: String) -> String {
    word.prefix(1).uppercased() + word.dropFirst()
  }

  /// Returns the ID of the element that lists the scenarios of a group.
  static func anchor(_ kind: String, _ name: String) -> String {
    let parts = name.split { !($0.isLetter || $0.isNumber) }
    return ([Substring(kind)] + parts).joined(separator: "-")
  }

  // MARK: The index

  private var index: String {
    WebPage(
      title: "Scenarios", style: WebPage.text(of: PackageResources.book_css),
      body: """
        <header>
        <h1>What happens between Core Data contexts</h1>
        <p>\(grouped(entries.count)) scenarios. Each one is a program that runs as a test, with a picture.</p>
        <p><input id="filter" type="search" placeholder="Filter" aria-label="Filter scenarios"> <span id="count" role="status"></span></p>
        <nav aria-label="Sections"><a href="#subjects">by subject</a> <a href="#invariants">by violation</a>
        <a href="#quirks">by quirk</a> <a href="#facts">by fact</a></nav>
        </header>
        <main>
        \(surprises)
        \(section("subject", "By subject", sorted(entries.map(\.subject))) { $0.subject == $1 })
        \(section("invariant", "By violation", FailureKind.violations.map(\.name)) { entry, name in
          entry.kinds.contains { $0.name == name }
        })
        \(section("quirk", "By quirk", Quirk.allCases.map(\.name)) { entry, name in
          entry.scenario.quirks.contains { $0.name == name }
        })
        \(section("fact", "By fact", factIDs.map(\.description), note: factSentence) { entry, id in
          entry.facts.contains { $0.description == id }
        })
        </main>
        """,
      script: WebPage.text(of: PackageResources.book_js)
    ).html
  }

  /// The section of surprising behaviours. Empty if the book lacks one of their scenarios.
  private var surprises: String {
    let cards = SurprisingBehavior.all.compactMap { behavior in
      entries.first { $0.scenario.name == behavior.scenario }.map { entry in
        SurpriseCard(
          behavior: behavior, scenario: entry.scenario, link: link(to: entry), facts: facts)
      }
    }
    guard cards.count == SurprisingBehavior.all.count else { return "" }
    return """
      <section id="surprises" aria-labelledby="surprises-title">
      <h2 id="surprises-title">Behaviours to know first</h2>
      <p>Most developers do not expect these eight behaviours of context trees. Each picture shows \
      a run, with a column for each queue and store. Red numbers mark the steps that prove a \
      violation. Sources disagree about a contested fact.</p>
      <div class="cards">
      \(cards.map(\.html).joined(separator: "\n"))
      </div>
      </section>
      \(Picture.definitions)
      """
  }

  /// The IDs of cited facts, in the order of the list if there is one.
  private var factIDs: [FactID] {
    let cited = Set(entries.flatMap(\.facts))
    let known = facts?.facts.map(\.id).filter(cited.contains) ?? []
    let others = cited.filter { !known.contains($0) }.sorted { $0.description < $1.description }
    return known + others
  }

  private func factSentence(_ id: String) -> String {
    FactID(id).flatMap { facts?[$0]?.sentence } ?? ""
  }

  private func sorted(_ names: [String]) -> [String] { Set(names).sorted() }

  /// Returns an index of all scenarios by one criterion. Only the names of groups are visible at
  /// first, because hundreds of titles cannot be scanned.
  private func section(
    _ kind: String, _ title: String, _ names: [String], note: (String) -> String = { _ in "" },
    contains: (Entry, String) -> Bool
  ) -> String {
    let groups = names.compactMap { name -> String? in
      let members = entries.filter { contains($0, name) }
      guard !members.isEmpty else { return nil }
      let note = note(name)
      return
        "<details class=\"group\" id=\"\(ScenarioBook.anchor(kind, name))\"><summary>\(escaped(name)) "
        + "<span class=\"fine\">\(members.count)\(note.isEmpty ? "" : " · \(escaped(note))")</span></summary><ul>"
        + members.map { item($0, isComplete: kind == "subject") }.joined(separator: "\n")
        + "</ul></details>"
    }
    return """
      <details class="section" id="\(kind)s"\(kind == "subject" ? " open" : "")>
      <summary><h2>\(title)</h2> <span class="fine">\(grouped(groups.count))</span></summary>
      \(groups.joined(separator: "\n"))
      </details>
      """
  }

  /// Returns the list item of a scenario. Violations and the first sentence are only in complete
  /// items, because most scenarios are in several lists.
  private func item(_ entry: Entry, isComplete: Bool) -> String {
    let title = "<a href=\"\(escaped(link(to: entry)))\">\(escaped(entry.scenario.title))</a>"
    guard isComplete else { return "<li>\(title)</li>" }
    let kinds = entry.kinds.map { "<i class=\"kind\">\(escaped($0.name))</i>" }.joined(
      separator: " ")
    return "<li>\(title) \(kinds)"
      + (entry.scenario.firstSentence.map { "<br><span class=\"fine\">\(escaped($0))</span>" } ?? "")
      + "</li>"
  }

  private func link(to entry: Entry) -> String {
    entry.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? entry.path
  }
}

extension Scenario {
  /// The IDs of facts that the scenario's header cites as evidence.
  package var citedFacts: [FactID] {
    var facts: [FactID] = []
    for word in (source ?? "").split(whereSeparator: { $0 == " " || $0 == "," }) {
      if let id = FactID(String(word)), !facts.contains(id) { facts.append(id) }
    }
    return facts
  }
}
