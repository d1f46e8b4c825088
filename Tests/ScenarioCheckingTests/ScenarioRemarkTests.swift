import Foundation
import InputFiles
import Scenario
import ScenarioChecking
import TestSupport
import Testing
import Vocabulary

@Suite struct `A remark about a scenario` {
  private func scenario(
    prose: String = "", header: String = "", claims: String = "  succeeded"
  ) throws -> Scenario {
    let text = smallScenario(
      header: header, steps: "  view  insert Note as n\n  view  get n.title", claims: claims)
    return try ScenarioText.parse(prose + text) { _ in .failure(UnreadableModel(message: "")) }
  }

  @Test func `a remark names quirks that change nothing, if there are claims`() throws {
    let quirk = "\nquirk  mergeReachesChildren"
    var named = try scenario(header: quirk)
    named.record()
    #expect(named.needlessQuirks == [.mergeReachesChildren])
    named.claims = []
    #expect(named.needlessQuirks == [])
    for (path, scenario) in try Repository.scenarios() where scenario.quirks.count > 1 {
      #expect(scenario.needlessQuirks == [], "\(path)")
    }
  }

  @Test func `a scenario knows whether it was ever recorded`() throws {
    var new = try scenario()
    #expect(new.isUnrecorded)
    new.record()
    #expect(!new.isUnrecorded)
  }

  @Test(arguments: [
    ("", nil),
    ("# One line.\n\n", "One line."),
    ("# It goes on\n# below. Then more.\n\n", "It goes on below."),
    ("# No stop\n#\n# Another. Thing.\n\n", "No stop"),
  ])
  func `a remark quotes the first sentence`(prose: String, sentence: String?) throws {
    #expect(try scenario(prose: prose).firstSentence == sentence)
  }
}

/// `Scenarios/README.md`, the guide for authors of scenarios.
@Suite struct `The guide to scenarios` {
  private let text = Result {
    try TextFile.read(path: Repository.root + "/Scenarios/README.md")
  }

  @Test func `the guide begins with a template that passes once it is recorded`() throws {
    let template = try #require(try text.get().split(separator: "```\n").dropFirst().first)
    var scenario = try ScenarioText.parse(String(template)) { _ in
      .failure(UnreadableModel(message: ""))
    }
    #expect(ScenarioText.print(scenario) == template)
    scenario.record()
    #expect(ScenarioCheck(scenario).problems == [])
    #expect(scenario.needlessQuirks == [])
    #expect(!scenario.isUnrecorded)
  }

  @Test func `the guide lists the names of all failures`() throws {
    let text = try text.get()
    for name in FailureName.all { #expect(text.contains("`\(name.text)`"), "\(name.text)") }
  }
}
