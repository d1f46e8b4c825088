import Exporting
import Foundation
import InputFiles
import Scenario
import TestSupport
import Testing

/// The comments of an exported file about its violation.
@Suite struct `An exported scenario with a violation` {
  private static func source(_ name: String) throws -> String {
    let path = try #require(Repository.scenarioPaths().first { $0.hasSuffix("/\(name).scenario") })
    return try ExportedTest(ScenarioFile.read(path: path)).source
  }

  private static func lines(_ source: String) -> [String] {
    source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// Returns the comment of the test case as one line.
  private static func head(_ source: String) -> String {
    lines(source).filter { $0.hasPrefix("///") }.map { $0.dropFirst(4) }.joined(separator: " ")
  }

  @Test func `the comment says that the test passes with the problem, and when it fails`() throws {
    let head = Self.head(try Self.source("last-child-wins"))
    #expect(head.hasPrefix("This test passes while the problem exists: "))
    #expect(head.contains("Comments that begin with “Lost update” mark the step"))
    #expect(head.contains("show its effect. The test fails once Core Data behaves differently."))
  }

  @Test func `marks show the step of a violation and the assertion that shows it`() throws {
    let lines = Self.lines(try Self.source("last-child-wins"))
    let mark = try #require(
      lines.firstIndex { $0.hasPrefix("// Lost update: sync saved \"second\"") })
    #expect(lines[mark - 1] == "// sync saves n.title = \"second\" to proxy.")
    #expect(lines[(mark + 1)...].first { !$0.hasPrefix("//") } == "try sync.save()")
    let shown = try #require(
      lines.firstIndex(of: "// Lost update: the next assertion shows its effect."))
    #expect(lines[shown...].prefix(4).contains { $0.contains("as? String == \"second\"") })
    #expect(lines.count { $0.hasPrefix("// Lost update") } == 2)
  }

  /// The context that overwrote the other's value has its own value in any case.
  @Test func `an assertion that holds without the violation has no mark`() throws {
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
    #expect(lines.contains { $0.hasSuffix("the next assertion shows its effect.") })
  }

  /// The file of a campaign's example numbers the steps of the proof.
  @Test func `comments number the steps of the proof if the prose does`() throws {
    let path = try #require(
      Repository.scenarioPaths().first { $0.hasSuffix("/last-child-wins.scenario") })
    var scenario = try ScenarioFile.read(path: path)
    scenario.source = "seed 0x1"
    let lines = Self.lines(try ExportedTest(scenario).source)
    #expect(lines.contains("// Step 8: sync saves n.title = \"second\" to proxy."))
  }

  @Test func `the comment says if no assertion can show the violation`() throws {
    let source = try Self.source("fetch-on-main-asks-the-store")
    #expect(
      Self.head(source).hasPrefix("This test passes with the problem, and may pass without it: "))
    #expect(Self.lines(source).contains { $0.hasPrefix("// Store access on the main queue: ") })
    #expect(!source.contains("the next assertion shows its effect"))
  }

  @Test func `a deadlock of one lane with the main thread is refused`() throws {
    let refusal = #expect(throws: Refusal.self) {
      try Self.source("block-on-main-comes-back")
    }
    #expect(refusal?.message.hasSuffix("without another lane") == true)
  }

  @Test func `the comment says that a wait with a limit stands for a deadlock`() throws {
    let head = Self.head(try Self.source("two-contexts-that-met"))
    #expect(head.contains("the test expects it to time out. It fails if that wait ends in time."))
  }

  /// The step of an observer is written once, whatever set it off.
  @Test func `a step of an observer is marked`() throws {
    let source = try Self.source("observer-saves-over-a-newer-row")
    let lines = Self.lines(source)
    let mark = lines.firstIndex { $0.hasPrefix("// Failed save by the stack: ") }
    #expect(mark.map { lines[($0 + 1)...].first { !$0.hasPrefix("//") } } == "try? view.save()")
  }

  @Test func `a scenario without a violation has no such words`() throws {
    let source = try Self.source("sums-over-members")
    #expect(!source.contains("This test passes") && !source.contains("shows its effect"))
  }

  /// A row that is gone has no values to compare.
  @Test func `an assertion shows the remaining rows where one is gone`() throws {
    let text = smallScenario(
      steps: "  edit  insert Note as n\n  edit  save\n  view  kill",
      claims: "  shows  acknowledged save gone")
    let scenario = try ScenarioText.parse(text) { _ in
      .failure(UnreadableModel(message: "there is none"))
    }
    let lines = Self.lines(try ExportedTest(scenario).source)
    let shown = try #require(
      lines.firstIndex { $0.hasPrefix("// Acknowledged save gone: the next assertion") })
    #expect(lines[(shown + 1)...].prefix(2).joined().contains("(entityName: \"Note\")).isEmpty)"))
  }
}
