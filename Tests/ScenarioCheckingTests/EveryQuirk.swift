import Foundation
import InputFiles
import Scenario
import ScenarioChecking
import TestSupport
import Testing
import Vocabulary

@Suite struct `Every quirk` {
  /// Turning off the quirk makes exactly the scenarios fail that name it.
  @Test(arguments: Quirk.allCases)
  func `without a quirk, exactly the scenarios that name it fail`(quirk: Quirk) throws {
    // Scenarios in which the quirk is already off are skipped.
    let scenarios = try Repository.scenarios().filter { $0.scenario.quirkSet.contains(quirk) }
    var failing: [String] = []
    for (path, scenario) in scenarios {
      let check = ScenarioCheck(scenario, quirks: scenario.quirkSet.removing(quirk))
      if !check.problems.isEmpty { failing.append(path) }
    }
    let naming = scenarios.filter { $0.scenario.quirks.contains(quirk) }.map(\.path)
    #expect(failing == naming)
    #expect(!naming.isEmpty)
  }

  /// A row of the article's tables has the quirk's name and links a scenario about it.
  @Test(arguments: Quirk.allCases)
  func `the documentation has every quirk with its scenario`(quirk: Quirk) throws {
    let article = try String(
      contentsOfFile: Repository.root
        + "/Sources/Faultline/Faultline.docc/ProfilesAndQuirks.md", encoding: .utf8)
    let row = try #require(
      article.split(separator: "\n").first { $0.hasPrefix("| `\(quirk.name)` |") })
    let link = try #require(row.firstMatch(of: /Scenarios\/[^)]*/)).output
    let path = Repository.root + "/" + link
    #expect(try ScenarioFile.read(path: path).quirks.contains(quirk))
  }
}
