import Execution
import Foundation
import InputFiles
import Invariants
import Scenario
import ScenarioChecking
import TestSupport
import Testing
import Timelines
import Vocabulary

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The runs with which timelines are tested.
enum Recorded {
  static func timeline(_ path: String) throws -> Timeline {
    try timeline(of: try ScenarioFile.read(path: Repository.root + "/Scenarios/" + path))
  }

  static func timeline(of scenario: Scenario) throws -> Timeline {
    var configuration = RunConfiguration(model: scenario.model, quirks: scenario.quirkSet)
    configuration.checkLevel = .design
    return ProgramRunner(configuration).timeline(of: Program(scenario)).1
  }
}

@Suite struct `A lane diagram` {
  private func lines(_ path: String) throws -> [String] {
    LaneDiagram(try Recorded.timeline(path)).lines
  }

  @Test func `a diagram has a column for each queue, with reads, blocks and waits`() throws {
    #expect(
      try lines("Conflicts/childs-merge-loses-an-update.scenario") == [
        "step  main queue (view)  left                                              right",
        "   1  insert Note as n",
        "   2  save",
        "   3                     merges a save of view (automatically)",
        "   4                     existingObject view.n → n",
        "   5                                                                       existingObject view.n → n",
        "   6                     set n.title \"left\"",
        "   7                                                                       set n.title \"right\"",
        "   8                                                                       save",
        "   9  save",
        "                         ┌ … 'merges a save of view' waits for the main",
        "                           queue (automatically)",
        "  10                     └ merges a save of view (automatically)",
        "  11                     save ✗ lost update through a merge",
      ])
  }

  @Test func `a diagram has a tick once`() throws {
    let scenario = try ScenarioText.parse(
      smallScenario(steps: "  view  insert Note as n\n  view  tick\n  view  hasChanges")
    ) { _ in .failure(UnreadableModel(message: "none")) }
    #expect(
      LaneDiagram(try Recorded.timeline(of: scenario)).lines == [
        "step  main queue (view)", "   1  insert Note as n", "      tick", "      end of the event",
        "   2  hasChanges → yes",
      ])
  }

  @Test func `a diagram shows a deadlock where the cycle closes`() throws {
    let lines = try lines("Stacks/observer-merges-against-a-fetch.scenario")
    #expect(lines.contains { $0.contains("✗ 'view fetch Note' waits for write") }, "\(lines)")
  }

  @Test func `a diagram says which steps brought the lanes into a deadlock`() throws {
    let lines = try lines("Stacks/observer-merges-against-a-fetch.scenario")
    #expect(lines.contains { $0.hasSuffix("perform") }, "\(lines)")
    #expect(lines.contains { $0.contains("… 'view performAndWait' waits for") }, "\(lines)")
  }

  @Test func `a diagram has a save in two places where others come in between`() throws {
    #expect(
      try lines("Identity/permanent-IDs-on-WillSave.scenario") == [
        "step  main queue (view)  edit",
        "   1                     insert Note as n",
        "   2                     save begins",
        "   3                     obtainPermanentIDs n (observer)",
        "                         save commits ✗ duplicate awakeFromInsert",
        "   4  object edit.n → n",
        "   5  save",
      ])
  }

  @Test func `a diagram marks one kind of violation only`() throws {
    let timeline = try Recorded.timeline("Conflicts/childs-merge-loses-an-update.scenario")
    #expect(LaneDiagram(timeline, marking: "deadlock").lines.allSatisfy { !$0.contains("✗") })
    #expect(
      LaneDiagram(timeline, marking: "lost update through a merge").lines
        .contains { $0.contains("✗ lost update through a merge") })
  }

  /// A violation that is judged at the end is marked at its step.
  @Test func `a diagram marks the step that blocks the main queue`() throws {
    let text = smallScenario(
      steps: "  view  insert Note as n\n  view  save\n  view  hasChanges\n  edit  hasChanges"
    ).replacing("store  main\n", with: "time  write 50 budget 40\n  store  main\n")
    let scenario = try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "none")) }
    let lines = LaneDiagram(
      try Recorded.timeline(of: scenario), marking: "main queue blocked"
    ).lines
    #expect(lines.filter { $0.contains("✗") }.map { $0.contains("save") } == [true], "\(lines)")
  }

  /// The context with the current value acts last.
  @Test func `a diagram marks the context that is stale when everything is at rest`() throws {
    let text = smallScenario(
      steps: """
          view  insert Note as n
          view  save
          edit  existingObject view.n
          view  set n.title "new"
          view  save
        """)
    let scenario = try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "none")) }
    let lines = LaneDiagram(try Recorded.timeline(of: scenario), marking: "stale copy").lines
    let marked = lines.filter { $0.contains("✗") }
    #expect(marked == [lines[lines.count - 1]] && marked[0].hasSuffix("  at rest ✗ stale copy"))
    let column = try #require(lines[0].range(of: "edit")).lowerBound
    #expect(
      marked[0].distance(from: marked[0].startIndex, to: marked[0].range(of: "at rest")!.lowerBound)
        == lines[0].distance(from: lines[0].startIndex, to: column))
  }

  @Test func `a diagram tells the contexts of one queue apart`() throws {
    let lines = try lines("Lists/child-list-does-not-see-its-parent.scenario")
    #expect(lines[0].hasPrefix("step  main queue (view, edit, live)"), "\(lines)")
    #expect(lines[1].hasPrefix("   1  view  "), "\(lines)")
  }

  @Test func `a diagram keeps to its width and abridges repetitions`() throws {
    for (path, scenario) in try Repository.scenarios() where scenario.interleave != .every {
      let lines = LaneDiagram(try Recorded.timeline(of: scenario), width: 72).lines
      let width = scenario.stack.contexts.count > 2 ? 110 : 72
      #expect(lines.allSatisfy { $0.count <= width }, "\(path)")
      #expect(lines.count < 140, "\(path)")
    }
  }
}

@Suite struct `A timeline` {
  /// Each step of the run appears once, in order, in the column of its context.
  @Test func `a timeline has the steps that a run performs`() throws {
    for (path, scenario) in try Repository.scenarios() where scenario.interleave != .every {
      let timeline = try Recorded.timeline(of: scenario)
      let steps = timeline.moments.map(\.step).filter { $0 > 0 }
      #expect(steps == Set(steps).sorted(), "\(path)")
      for moment in timeline.moments {
        if let context = moment.context {
          #expect(timeline.columns[moment.column].contexts.contains(context), "\(path)")
        }
      }
    }
  }

  /// The changes add up to the final state of the run.
  @Test func `a timeline says how everything looks`() throws {
    let timeline = try Recorded.timeline("Conflicts/childs-merge-loses-an-update.scenario")
    #expect(timeline.places == ["view", "left", "right", "store main", "row cache of store"])
    var looks: [String: String] = [:]
    for change in timeline.moments.flatMap(\.changes) {
      looks[timeline.places[change.place]] = change.look.map {
        "\($0.state) \($0.version) \($0.values)"
      }
    }
    #expect(
      looks == [
        "view": "updated 2 {title: \"left\"}", "left": " 2 {title: \"left\"}",
        "right": " 1 {title: \"right\"}", "store main": " 2 {title: \"right\"}",
        "row cache of store": " 2 {title: \"right\"}",
      ])
  }

  @Test func `a timeline has arrows for saves and merges`() throws {
    let timeline = try Recorded.timeline("Conflicts/childs-merge-loses-an-update.scenario")
    let saves = timeline.moments.filter { $0.text == "save" }
    #expect(saves.map { $0.arrows.map(\.to) } == [[3], [0], [3], [0]])
    let merges = timeline.moments.filter { $0.origin == .automaticMerge }
    #expect(merges.compactMap { $0.arrows.first?.from } == [1, 8])
  }
}

@Suite struct `Files of a timeline` {
  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func `the JSON Lines of a timeline have one for each moment`() throws {
    let timeline = try Recorded.timeline("Stacks/observer-merges-against-a-fetch.scenario")
    let lines = TimelineFiles(timeline).jsonLines.split(separator: "\n")
    #expect(lines.count == timeline.moments.count)
    for (line, moment) in zip(lines, timeline.moments) {
      let object = try object(String(line))
      #expect(object["kind"] as? String == moment.kind.rawValue)
      #expect(object["turn"] as? Int == moment.turn)
      #expect(object["text"] as? String == moment.text)
    }
    #expect(lines.last?.contains("\"violations\":[\"deadlock by the stack\"]") == true, "\(lines)")
  }

  @Test func `pictures and pages are well formed and need no network`() throws {
    for path in [
      "Conflicts/childs-merge-loses-an-update.scenario",
      "Stacks/observer-merges-against-a-fetch.scenario",
    ] {
      let timeline = try Recorded.timeline(path)
      let picture = try XMLDocument(xmlString: Picture(timeline).file)
      let boxes = try picture.nodes(forXPath: "//*[@data-moment]")
      #expect(boxes.count == timeline.moments.count)
      var scenario = try ScenarioFile.read(path: Repository.root + "/Scenarios/" + path)
      scenario.prose = ["one", "", "two"]
      let page = TimelinePage(RunReport(timeline, of: scenario), title: "a < b").html
      #expect(page.contains("<title>a &lt; b – Faultline</title>"))
      #expect(page.contains("<p>one</p>\n<p>two</p>"))
      let links = page.replacing("http://www.w3.org/2000/svg", with: "")
      #expect(!links.contains("http") && !links.contains("src=") && !links.contains("href"))
    }
  }
}
