import Failures
import Foundation
import InputFiles
import Invariants
import Reporting
import Scenario
import ScenarioChecking
import TestSupport
import Testing
import Timelines

@Suite struct `The page of a scenario` {
  private func scenario(_ path: String) throws -> Scenario {
    try ScenarioFile.read(path: Repository.root + "/Scenarios/" + path)
  }

  private func page(_ path: String) throws -> String {
    ScenarioPage(ScenarioRunner(try scenario(path)), command: "faultline replay x.scenario").html
  }

  /// Returns the positions at which parts of the page begin, in the order of `parts`.
  private func positions(_ parts: [String], in page: String) throws -> [String.Index] {
    try parts.map { part in try #require(page.range(of: part)?.lowerBound, "no \(part)") }
  }

  @Test func `the page of a scenario is a bug report`() throws {
    let page = try page("Conflicts/childs-merge-loses-an-update.scenario")
    let order = try positions(
      [
        "<h1>Child's merge loses an update</h1>", "<strong>lost update through a merge</strong>",
        "over &quot;right&quot; of right", "<h3>Proof</h3>", "right saves n.title",
        "<dt>Cause</dt><dd>automaticallyMergesChangesFromParent</dd>", "<dt>Remedy</dt>",
        "class=\"steps\"", "<h3>Stack</h3>", "faultline replay x.scenario",
        "<dt>Profile</dt><dd>current</dd>", "<dt>Faultline</dt><dd>version", "title  string?",
      ], in: page)
    #expect(order == order.sorted())
  }

  @Test func `the page marks the context of the violation, below its parent`() throws {
    let page = try page("Conflicts/childs-merge-loses-an-update.scenario")
    let failing = page.matches(of: /<div class="node [^"]*failing"><strong>([^<]*)/).map(\.1)
    #expect(failing == ["left"])
    let circle = try self.page("Stacks/observer-merges-against-a-fetch.scenario")
    let held = circle.matches(of: /<div class="node [^"]*failing"><strong>([^<]*)/).map(\.1)
    #expect(held == ["write", "view"])
    #expect(page.contains(/strong>view<.*<ul>\s*<li>.*strong>left</.dotMatchesNewlines()))
    #expect(page.contains(">main queue</span>") && page.contains(">policy error</span>"))
  }

  @Test func `the page numbers a deadlock from its first step, and says what is red`() throws {
    let page = try page("Stacks/observer-merges-against-a-fetch.scenario")
    let proof = try #require(
      page.firstMatch(of: /<ol class="proof-lines">(.*?)<\/ol>/.dotMatchesNewlines()))
    let moments = proof.1.matches(of: /data-go="(\d+)"/).compactMap { Int($0.1) }
    #expect(moments.count == 4 && moments == moments.sorted(), "\(moments)")
    #expect(page.contains("</i>cycle of a deadlock</span>"))
    let other = try self.page("Conflicts/childs-merge-loses-an-update.scenario")
    #expect(!other.contains("cycle of a deadlock") && other.contains("<b>1</b>proof"))
  }

  /// Other violations of the run are folded.
  @Test func `the page opens on what the scenario claims`() throws {
    var foldedCount = 0
    for (path, scenario) in try Repository.scenarios() where scenario.interleave != .every {
      let runner = ScenarioRunner(scenario)
      let kinds = runner.run().violations.map(\.kind)
      guard let subject = scenario.subject(among: kinds) else { continue }
      let page = ScenarioPage(runner, command: nil).html
      let first = page.firstMatch(of: /<strong>([^<]*)<\/strong> <button[^>]*>(?:after|at)/)
      #expect(first.map { String($0.1) } == subject.name, "\(path)")
      let others = Set(kinds.map(\.name)).subtracting([subject.name])
      #expect(page.contains("Also seen") == !others.isEmpty, "\(path)")
      foldedCount += others.isEmpty ? 0 : 1
    }
    #expect(foldedCount > 10)
  }

  /// Two runs of one process have equal sets with different orders.
  @Test func `the page is a function of the scenario`() throws {
    for path in [
      "Conflicts/childs-merge-loses-an-update.scenario",
      "Stacks/observer-merges-against-a-fetch.scenario",
    ] {
      #expect(try page(path) == page(path))
    }
  }

  @Test func `the data of the page has a violation's own values`() throws {
    let page = try page("Conflicts/childs-merge-loses-an-update.scenario")
    let json = try #require(page.firstMatch(of: /class="data">(.*)<\/script>/)?.1)
    let data = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let moments = try #require(data["moments"] as? [[String: Any]])
    #expect(moments.last?["carries"] as? [String] == ["saves to view: n.title = \"left\""])
    let last = try #require(moments.last?["changes"] as? [[Any]])
    let view = try #require(last.first { $0[0] as? Int == 0 })
    #expect(view[4] as? [[String]] == [["title", "\"left\""]])
  }

  @Test func `the page has a title with genitives`() throws {
    let titles = [
      "childs-merge-loses-an-update": "Child's merge loses an update",
      "late-permanent-ID-is-the-rows": "Late permanent ID is the row's",
      "save-takes-as-long-as-it-has-rows": "Save takes as long as it has rows",
      "no-store-to-give-an-id": "No store to give an ID",
      "awakeFromInsert-on-every-level": "awakeFromInsert on every level",
    ]
    var scenario = try scenario("Conflicts/childs-merge-loses-an-update.scenario")
    for (name, title) in titles.sorted(by: { $0.key < $1.key }) {
      scenario.name = name
      #expect(scenario.title == title)
    }
  }

  /// A write skew is the same whichever part saves second. A step that finds its store gone is
  /// blamed on the part that removes the store.
  @Test(arguments: [
    (
      """
        sync  privateQueue coordinator store
        entry  finish
          sync  save
      """,
      """
        view  insert Note as a
        view  insert Note as b
        view  save
        sync  existingObject view.a
        sync  existingObject view.b
        view  get b.title
        sync  get a.title
        view  set a.title "1"
        view  save
        sync  set b.title "2"
        sync  call finish
      """, "view's save, and then sync's save"
    ),
    (
      """
        entry  signOut
          view  destroyStore main anew
        entry  finish
          view  save
      """,
      """
        view  insert Note as a
        view  save
        view  set a.title "1"
        view  call signOut
        view  call finish
      """, "The entry point signOut"
    ),
  ])
  func `a page names the part as campaigns do`(stack: String, steps: String, cause: String) throws {
    let text = smallScenario(steps: steps).replacing(
      "  edit  privateQueue parent view", with: stack)
    let scenario = try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "")) }
    let page = ScenarioPage(ScenarioRunner(scenario), command: nil).html
    let first = page.firstMatch(of: /<dt>Cause<\/dt><dd>([^<]*)/)?.1
    #expect(first == cause[...], "\(first ?? "")")
  }

  /// Text that does not fit a line on a phone continues below the step's words, not below its
  /// number.
  @Test func `the page has steps with hanging indents`() throws {
    let html = try page("Conflicts/childs-merge-loses-an-update.scenario")
    #expect(html.contains(".proof-lines :is(button,.unplaced>span){display:flex;"))
    #expect(html.contains(".list :is(.text,.note){padding-left:1.5em;text-indent:-1.5em}"))
  }
}

@Suite struct `The page of all schedules` {
  private func page(_ path: String) throws -> (String, Exploration) {
    let scenario = try ScenarioFile.read(path: Repository.root + "/Scenarios/" + path)
    let runner = ScenarioRunner(scenario)
    let exploration = Exploration(runner)
    let page = ScenarioPage(runner, command: "faultline replay x").html(of: exploration)
    return (page, exploration)
  }

  private func tabs(_ page: String) -> [String] {
    page.matches(of: /<button[^>]*role="tab"[^>]*><span[^>]*>.<\/span> ([^<]*)/).map {
      String($0.1)
    }
  }

  @Test func `the page has a tab for each outcome, one that fails first`() throws {
    let (page, _) = try page("Concurrency/two-contexts-wait-for-each-other.scenario")
    #expect(tabs(page) == ["Outcome 2: deadlock", "Outcome 1: no violation"])
    #expect(page.contains("faultline replay x --outcome 2"))
  }

  @Test func `the page says where the schedules diverge, and marks it in the picture`() throws {
    let (page, _) = try page("Concurrency/two-contexts-wait-for-each-other.scenario")
    #expect(
      page.contains(
        "the schedules diverge: here 'performAndWait' on sync comes next; in outcome 1, 'insert Note as a'"
      ))
    #expect(page.matches(of: /<g class="parting">/).count == 2)
  }

  @Test func `the page begins with a violation wherever a schedule has one`() throws {
    var failingCount = 0
    for (path, scenario) in try Repository.scenarios() where scenario.interleave == .every {
      let runner = ScenarioRunner(scenario)
      let exploration = Exploration(runner)
      let page = ScenarioPage(runner, command: nil).html(of: exploration)
      let tabs = tabs(page)
      #expect(tabs.count == exploration.findings.count, "\(path)")
      let fails = exploration.findings.contains {
        !$0.outcome.violations.isEmpty || !$0.outcome.deadlocks.isEmpty
      }
      #expect(tabs.first?.hasSuffix("no violation") == !fails, "\(path): \(tabs)")
      failingCount += fails ? 1 : 0
    }
    #expect(failingCount > 10)
  }
}
