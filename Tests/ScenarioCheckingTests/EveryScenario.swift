import Foundation
import InputFiles
import Scenario
import ScenarioChecking
import TestSupport
import Testing

@Suite struct `Every scenario` {
  @Test(arguments: Repository.scenarioPaths())
  func `every scenario shows what it claims`(path: String) throws {
    let check = ScenarioCheck(try ScenarioFile.read(path: path))
    #expect(check.problems.map(\.message) == [])
  }

  @Test(arguments: Repository.scenarioPaths())
  func `every scenario is printed as it was written`(path: String) throws {
    let text = try TextFile.read(path: path)
    #expect(ScenarioText.print(try ScenarioFile.read(path: path)) == text)
  }

  @Test(arguments: Repository.scenarioPaths())
  func `every scenario is named after its file`(path: String) throws {
    let file = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    #expect(try ScenarioFile.read(path: path).name == file)
  }

  @Test func `at least thirty scenarios exist`() { #expect(Repository.scenarioPaths().count >= 30) }

  /// The check notices a transcript that was changed by hand and a claim that does not hold.
  @Test func `a scenario fails if its transcript or a claim is false`() throws {
    for (path, scenario) in try Repository.scenarios() where scenario.interleave != .every {
      guard let index = scenario.items.firstIndex(where: { !$0.transcript.isEmpty }) else {
        continue
      }
      var liar = scenario
      liar.items[index].transcript[0] += " or not"
      #expect(!ScenarioCheck(liar).problems.isEmpty, "\(path)")
      var boaster = scenario
      boaster.claims += [Claim(.shows("deadlock")), Claim(.showsNo("deadlock"))]
      #expect(ScenarioCheck(boaster).problems.count == 1, "\(path)")
    }
  }
}
