import Exporting
import Foundation
import InputFiles
import Scenario
import Testing

/// What an exported file says of the violation that it is about.
@Suite struct `An exported scenario that goes wrong` {
  private static func source(_ name: String) throws -> String {
    let path = try #require(Repository.scenarioPaths().first { $0.hasSuffix("/\(name).scenario") })
    return try ExportedTest(ScenarioFile.read(path: path)).source
  }

  private static func lines(_ source: String) -> [String] {
    source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// The comment of the test case, in one line.
  private static func head(_ source: String) -> String {
    lines(source).filter { $0.hasPrefix("///") }.map { $0.dropFirst(4) }.joined(separator: " ")
  }

  @Test func `says at the top that it passes while that is so, and when it fails`() throws {
    let head = Self.head(try Self.source("last-child-wins"))
    #expect(head.hasPrefix("This test passes while the problem is there: "))
    #expect(head.contains("Comments that begin with “Lost update” mark where it happens"))
    #expect(head.contains("show what it leaves. It fails once Core Data does otherwise."))
  }

  @Test func `marks the step at which it does, and the assertion that shows it`() throws {
    let lines = Self.lines(try Self.source("last-child-wins"))
    let mark = try #require(
      lines.firstIndex { $0.hasPrefix("// Lost update: sync saved \"second\"") })
    #expect(lines[mark - 1] == "// sync saves n.title = \"second\" to proxy.")
    #expect(lines[(mark + 1)...].first { !$0.hasPrefix("//") } == "try sync.save()")
    let shown = try #require(
      lines.firstIndex(of: "// Lost update: this is what it leaves."))
    #expect(lines[shown...].prefix(4).contains { $0.contains("as? String == \"second\"") })
    #expect(lines.count { $0.hasPrefix("// Lost update") } == 2)
  }

  /// The context that has overwritten the other's value has its own in any case.
  @Test func `marks no assertion that holds without it`() throws {
    let path = try #require(
      Repository.scenarioPaths().first { $0.hasSuffix("/last-child-wins.scenario") })
    let text = try TextFile.read(path: path).replacingOccurrences(
      of: "  clean  proxy", with: "  equal  sync.n {title: \"second\"}")
    let scenario = try ScenarioText.parse(text) { _ in
      .failure(UnreadableModel(message: "there is none"))
    }
    let lines = Self.lines(try ExportedTest(scenario).source)
    let own = try #require(lines.firstIndex { $0.hasPrefix("XCTAssertEqual(nInSync.value(") })
    #expect(!lines[own - 1].hasPrefix("//"))
    #expect(lines.contains { $0.hasSuffix("this is what it leaves.") })
  }

  /// What the steps of the proof are numbered by is in the file of a campaign's example.
  @Test func `has the numbers of the steps that prove it if its prose has`() throws {
    let path = try #require(
      Repository.scenarioPaths().first { $0.hasSuffix("/last-child-wins.scenario") })
    var scenario = try ScenarioFile.read(path: path)
    scenario.source = "seed 0x1"
    let lines = Self.lines(try ExportedTest(scenario).source)
    #expect(lines.contains("// Step 8: sync saves n.title = \"second\" to proxy."))
  }

  @Test func `says so where no assertion can show it`() throws {
    let source = try Self.source("fetch-on-main-asks-the-store")
    #expect(
      Self.head(source).hasPrefix("This test passes with the problem, and may pass without it: "))
    #expect(Self.lines(source).contains { $0.hasPrefix("// Store access on the main queue: ") })
    #expect(!source.contains("this is what it leaves"))
  }

  @Test func `refuses a deadlock of one lane with the main thread`() throws {
    let refusal = #expect(throws: Refusal.self) {
      try Self.source("block-on-main-comes-back")
    }
    #expect(refusal?.message.hasSuffix("without another lane") == true)
  }

  @Test func `says of a deadlock that a wait with a limit stands for it`() throws {
    let head = Self.head(try Self.source("two-contexts-that-met"))
    #expect(head.contains("the test expects it to time out. It fails if that wait ends in time."))
  }

  /// The step of an observer is written once, wherever it was set off.
  @Test func `marks a step of an observer`() throws {
    let source = try Self.source("observer-saves-over-a-newer-row")
    let lines = Self.lines(source)
    let mark = lines.firstIndex { $0.hasPrefix("// Failed save by the stack: ") }
    #expect(mark.map { lines[($0 + 1)...].first { !$0.hasPrefix("//") } } == "try? view.save()")
  }

  @Test func `is told from one that does not, which has no such words`() throws {
    let source = try Self.source("sums-over-members")
    #expect(!source.contains("This test passes") && !source.contains("what it leaves"))
  }

  /// A row that is gone has no values that could be compared.
  @Test func `shows which rows there are where one is gone`() throws {
    let text = smallScenario(
      steps: "  edit  insert Note as n\n  edit  save\n  view  kill",
      claims: "  shows  acknowledged save gone")
    let scenario = try ScenarioText.parse(text) { _ in
      .failure(UnreadableModel(message: "there is none"))
    }
    let lines = Self.lines(try ExportedTest(scenario).source)
    let shown = try #require(
      lines.firstIndex { $0.hasPrefix("// Acknowledged save gone: this is") })
    #expect(lines[(shown + 1)...].prefix(2).joined().contains("(entityName: \"Note\")).isEmpty)"))
  }
}
