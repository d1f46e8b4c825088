import Reporting
import ScenarioChecking
import TestSupport
import Testing

@Suite struct `A report of an exploration` {
  @Test func `two explorations of a scenario give the same report`() throws {
    let (path, scenario) = try #require(
      try Repository.scenarios().first {
        $0.path.hasSuffix("main-context-is-saved-on-its-own-queue.scenario")
      })
    let texts = (0..<2).map { _ in
      let runner = ScenarioRunner(scenario)
      return ExplorationReport(Exploration(runner), of: runner).text
    }
    #expect(texts[0] == texts[1], "\(path)")
  }
}
