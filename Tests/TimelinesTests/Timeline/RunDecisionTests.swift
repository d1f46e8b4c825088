import Execution
import Failures
import InputFiles
import Invariants
import Reporting
import Scenario
import ScenarioChecking
import TestSupport
import Testing
import Timelines
import Vocabulary

@Suite struct `The scheduling decisions of a run` {
  private static let race = "Merging/read-before-the-merge.scenario"

  private func scenario(_ path: String) throws -> Scenario {
    try ScenarioFile.read(path: Repository.root + "/Scenarios/" + path)
  }

  private func decisions(of scenario: Scenario) -> RunDecisions {
    let configuration = ScenarioRunner(scenario).configuration
    let program = Program(scenario)
    let (_, timeline) = ProgramRunner(configuration).timeline(of: program)
    return RunDecisions(
      of: program, timeline, main: timeline.mainFinding(about: nil), configuration)
  }

  private func lines(_ decisions: RunDecisions) -> [String] {
    decisions.decisions.flatMap { decision in
      decision.alternatives.map { alternative in
        "\(decision.chosen) / \(alternative.text ?? alternative.lane): \(alternative.result.text)"
      }
    }
  }

  private func page(_ scenario: Scenario) -> String {
    ScenarioPage(ScenarioRunner(scenario), command: nil).html
  }

  @Test func `a decision has the lanes that could have run, with the result of each`() throws {
    let decisions = decisions(of: try scenario(Self.race))
    #expect(
      lines(decisions) == [
        "sync: set n.title \"new\" / main queue: get n.title: fails alike",
        "main queue: get n.title / sync: save: passes",
        "sync: save / main queue: get n.title: passes",
        "a block of sync / main queue: get n.title: fails alike",
      ])
    let further = decisions.decisions[0].alternatives[0].further
    #expect(further?.count == 5 && further?.failingCount == 1 && further?.areAll == true)
    #expect(!decisions.isInOrder && decisions.omittedCount == 0)
  }

  @Test func `the alternatives of a program in file order disregard this order`() throws {
    let decisions = decisions(of: try scenario("Conflicts/childs-merge-loses-an-update.scenario"))
    #expect(decisions.isInOrder)
    #expect(
      lines(decisions).first
        == "left: merges a save of view / left: existingObject view.n: fails alike")
  }

  /// Time passes between the steps of the program. If lanes may overtake each other, the next step
  /// is earlier.
  @Test func `the alternatives of a run that cannot be repeated are unknown`() throws {
    let scenario = try scenario("Stacks/long-save-beside-main.scenario")
    #expect(decisions(of: scenario).areUnknown)
    #expect(page(scenario).contains("<summary>Scheduling decisions: not explored</summary>"))
  }

  @Test func `the decisions of a run with one lane are none`() throws {
    let text = smallScenario(steps: "  view  insert Note as n\n  view  save")
    let scenario = try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "none")) }
    #expect(decisions(of: scenario).decisions.isEmpty)
    #expect(page(scenario).contains("<summary>Scheduling decisions: none</summary>"))
  }

  @Test func `the page lists decisions without scripts, and escapes their texts`() throws {
    var scenario = try scenario(Self.race)
    let text = ScenarioText.print(scenario).replacing("\"new\"", with: "\"<b>new\"")
    scenario = try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "none")) }
    let page = page(scenario)
    let list = try #require(
      page.firstMatch(of: /<details class="under decisions".*?<\/details>/.dotMatchesNewlines())
    ).0
    #expect(list.contains("<summary>Scheduling decisions: 4. Of 4 explored alternatives, 2 pass<"))
    #expect(list.contains("<code>sync: set n.title &quot;&lt;b&gt;new&quot;</code> ran. Instead:"))
    #expect(
      list.contains(
        "<code>main queue: get n.title</code> <span class=\"fine\">(the program's thread)</span>: "
          + "<b class=\"bad\">✗ fails alike</b>; 4 of 5 schedules from here pass</li>"))
    #expect(list.contains("<b class=\"good\">✓ passes</b>, as do all 2 schedules from here</li>"))
    #expect(!list.contains("<b>"))
  }

  @Test func `a long run has a limited number of alternatives and moments`() throws {
    let scenario = try scenario("Merging/processor-that-always-writes.scenario")
    let decisions = decisions(of: scenario)
    #expect(decisions.decisions.flatMap(\.alternatives).count <= 100)
    #expect(decisions.omittedCount > 100)
    let page = page(scenario)
    #expect(page.contains("moments. The page shows 240 of them, from step "))
    #expect(page.matches(of: /<li class="moment-row/).count == 240)
    #expect(page.contains(/The list omits \d+ further decisions/))
  }

  @Test func `the results are a function of the scenario`() throws {
    let scenario = try scenario(Self.race)
    #expect(page(scenario) == page(scenario))
  }
}
