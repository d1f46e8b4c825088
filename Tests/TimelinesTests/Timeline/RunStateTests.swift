import Foundation
import InputFiles
import Reporting
import Scenario
import ScenarioChecking
import TestSupport
import Testing
import Timelines

@Suite struct `The state after a step` {
  private func scenario(_ steps: String) throws -> Scenario {
    let text = smallScenario(steps: steps)
    return try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "none")) }
  }

  /// Returns the objects of each place that has any, after the first `count` moments. An asterisk
  /// marks unsaved values, and an exclamation mark the objects that the last moment changed.
  private func state(of timeline: Timeline, after count: Int) -> [String: [String]] {
    var state = TimelineState(timeline)
    for _ in 0..<count { state.advance() }
    var result: [String: [String]] = [:]
    for (place, name) in timeline.places.enumerated() {
      for object in state.objects(at: place) {
        let mark = state.changed[place].contains(object) ? "! " : ""
        let look = state.looks[place][object].map { look in
          "\(look.state) \(look.version) "
            + look.attributes.map { "\($0.value)\($0.isUnsaved ? "*" : "")" }.joined(separator: " ")
        }
        result[name, default: []].append(mark + timeline.objects[object] + " " + (look ?? "gone"))
      }
    }
    return result
  }

  private static let steps = """
      view  insert Note as n
      view  set n.title "a"
      view  save
      edit  existingObject view.n
      edit  set n.title "b"
      edit  save
      view  save
    """

  @Test func `the state has contexts with unsaved values, the store, and the row cache`() throws {
    let timeline = try Recorded.timeline(of: scenario(Self.steps))
    let texts = timeline.moments.map(\.text)
    #expect(timeline.places == ["view", "edit", "store main", "row cache of store"], "\(texts)")
    let set = try #require(texts.firstIndex(of: "set n.title \"a\""))
    #expect(state(of: timeline, after: set + 1) == ["view": ["! n inserted 0 \"a\"*"]])
    let save = try #require(texts.firstIndex(of: "save"))
    #expect(
      state(of: timeline, after: save + 1) == [
        "view": ["! n  1 \"a\""], "store main": ["! n  1 \"a\""],
        "row cache of store": ["! n  1 \"a\""],
      ])
    let edit = try #require(texts.firstIndex(of: "set n.title \"b\""))
    #expect(
      state(of: timeline, after: edit + 1) == [
        "view": ["n  1 \"a\""], "edit": ["! n updated 1 \"b\"*"], "store main": ["n  1 \"a\""],
        "row cache of store": ["n  1 \"a\""],
      ])
    #expect(
      state(of: timeline, after: edit + 2) == [
        "view": ["! n updated 1 \"b\"*"], "edit": ["! n  1 \"b\""], "store main": ["n  1 \"a\""],
        "row cache of store": ["n  1 \"a\""],
      ])
  }

  @Test func `the state distinguishes deleted objects, faults and objects that are gone`() throws {
    let steps = """
        view  insert Note as n
        view  insert Note as m
        view  save
        view  refresh m
        view  delete n
        view  save
      """
    let timeline = try Recorded.timeline(of: scenario(steps))
    let delete = try #require(timeline.moments.lastIndex { $0.text == "delete n" })
    let before = state(of: timeline, after: delete + 1)["view"] ?? []
    #expect(before.contains { $0.hasPrefix("! n deleted 1") }, "\(before)")
    #expect(before.contains("m fault 0 "), "\(before)")
    let after = state(of: timeline, after: delete + 2)
    #expect(after["store main"]?.contains("! n gone") == true, "\(after)")
  }

  @Test func `the row cache of one coordinator keeps a row that another has saved`() throws {
    let steps = """
        view  insert Note as n
        view  set n.title "a"
        view  save
        edit  existingObject view.n
        edit  set n.title "b"
        edit  save
      """
    let stack = """
        store  main
        coordinator  here  main
        coordinator  there  main
        view  mainQueue coordinator here
        edit  privateQueue coordinator there
      """
    let text = smallScenario(steps: steps)
    let start = try #require(text.range(of: "  store  main")).lowerBound
    let end = try #require(text.range(of: "parent view")).upperBound
    let scenario = try ScenarioText.parse(
      text.replacingCharacters(in: start..<end, with: stack)
    ) { _ in .failure(UnreadableModel(message: "none")) }
    let timeline = try Recorded.timeline(of: scenario)
    let saved = try #require(timeline.moments.lastIndex { $0.text == "save" })
    let state = state(of: timeline, after: saved + 1)
    #expect(state["row cache of here"] == ["n  1 \"a\""], "\(state)")
    #expect(state["row cache of there"] == ["! n  2 \"b\""], "\(state)")
    #expect(state["store main"] == ["! n  2 \"b\""], "\(state)")
  }

  @Test func `the data of a page has only the values that a step changes`() throws {
    let scenario = try scenario(Self.steps)
    let page = ScenarioPage(ScenarioRunner(scenario), command: nil).html
    let json = try #require(page.firstMatch(of: /class="data">(.*)<\/script>/)?.1)
    let data = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let moments = try #require(data["moments"] as? [[String: Any]])
    let set = try #require(moments.first { $0["text"] as? String == "set n.title \"b\"" })
    let changes = try #require(set["changes"] as? [[Any]])
    #expect(changes.count == 1)
    #expect(changes[0][4] as? [[String]] == [["title", "\"b\""]])
    #expect(changes[0].count == 6 && changes[0].last as? [String] == ["title"])
    let save = try #require(moments.last { $0["text"] as? String == "save" })
    let rows = try #require(save["changes"] as? [[Any]])
    #expect(rows.allSatisfy { ($0[4] as? [[String]])?.count ?? 0 <= 1 }, "\(rows)")
  }

  @Test func `the state is readable without scripts`() throws {
    let page = ScenarioPage(ScenarioRunner(try scenario(Self.steps)), command: nil).html
    #expect(page.contains("<summary>State after every step, as text</summary>"))
    #expect(
      page.contains(
        "<li><mark>edit: n updated, version 1, title &quot;b&quot; (unsaved)</mark></li>"))
    #expect(page.contains("<li>row cache of store: n version 1, title &quot;a&quot;</li>"))
    #expect(page.contains("<noscript><style>.scripted"))
    #expect(page.contains("<input type=\"range\" class=\"slider\" min=\"1\" max="))
  }

  @Test func `the text of a program cannot become markup`() throws {
    let name = "</script><img src=x onerror=alert(1)>"
    let steps = "  view  insert Note as n\n  view  set n.title \"\(name)\"\n  view  save"
    let page = ScenarioPage(ScenarioRunner(try scenario(steps)), command: nil).html
    #expect(!page.contains("<img"))
    #expect(page.contains("&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;"))
    #expect(page.contains(#"\u003c\/script>"#) || page.contains(#"\u003c/script>"#))
  }

  @Test func `a long run lists changes only, and says what it omits`() throws {
    let sets = (1...700).map {
      "  view  set n.title \"\(String(repeating: "long ", count: 80))\($0)\""
    }
    let objects = (1...30).map { "  view  insert Note as n\($0)" }
    let steps = (["  view  insert Note as n"] + objects + sets).joined(separator: "\n")
    let page = ScenarioPage(ScenarioRunner(try scenario(steps)), command: nil).html
    let list = try #require(
      page.firstMatch(
        of: /<details class="under all-states">.*?<\/ol>\s*<\/details>/.dotMatchesNewlines())
    ).0
    #expect(list.utf8.count < 62_000)
    #expect(
      list.contains("Each moment lists only the objects that it changes. The list omits the last"))
  }

  @Test func `the page of a scenario has at most 300 kB, and no links`() throws {
    for (path, scenario) in try Repository.scenarios() {
      let runner = ScenarioRunner(scenario)
      let scenarioPage = ScenarioPage(runner, command: nil)
      let page =
        scenario.interleave == .every
        ? scenarioPage.html(of: Exploration(runner)) : scenarioPage.html
      #expect(page.utf8.count < 300_000, "\(path): \(page.utf8.count)")
      let links = page.replacing("http://www.w3.org/2000/svg", with: "")
      #expect(!links.contains("http:") && !links.contains("https:"), "\(path)")
    }
  }
}
