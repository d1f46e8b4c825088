import Faultline
import Scenario
import Testing
import Vocabulary

@Suite struct `Every quirk` {
  /// Off, it makes exactly those scenarios fail that name it.
  @Test(arguments: Quirk.allCases)
  func `is what its scenarios depend on, and no others`(quirk: Quirk) throws {
    let scenarios = try Repository.scenarios()
    var failing: [String] = []
    for (path, scenario) in scenarios {
      let check = ScenarioCheck(scenario, quirks: scenario.quirkSet.removing(quirk))
      if !check.problems.isEmpty { failing.append(path) }
    }
    let naming = scenarios.filter { $0.scenario.quirks.contains(quirk) }.map(\.path)
    #expect(failing == naming)
    #expect(!naming.isEmpty)
  }
}
