package import Execution
import Foundation
import InputFiles
import Invariants
import Scenario
import ScenarioChecking
package import Vocabulary

/// Runs a scenario and judges its stack as a design. Quirks are off by default, because they would
/// cause more violations.
package func outcome(
  of path: String, quirks: QuirkSet = QuirkSet(), bugs: [PlantedBug] = [], compares: Bool = true
) throws -> (outcome: Outcome, configuration: RunConfiguration) {
  let scenario = try ScenarioFile.read(path: Repository.root + "/Scenarios/\(path).scenario")
  var configuration = RunConfiguration(model: scenario.model, quirks: quirks)
  configuration.checkLevel = .design
  configuration.bugs = PlantedBugSet(bugs)
  configuration.comparesWithReference = compares
  return (ProgramRunner(configuration).run(Program(scenario)), configuration)
}

/// Runs the scenario in `text` with its own quirks, and judges its stack as a design.
package func judge(
  _ text: String, bugs: [PlantedBug] = []
) throws -> (outcome: Outcome, configuration: RunConfiguration) {
  let scenario = try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "none")) }
  var configuration = RunConfiguration(model: scenario.model, quirks: scenario.quirkSet)
  configuration.checkLevel = .design
  configuration.bugs = PlantedBugSet(bugs)
  configuration.comparesWithReference = bugs.isEmpty
  return (ProgramRunner(configuration).run(Program(scenario)), configuration)
}

package func judge(
  file path: String, bugs: [PlantedBug] = []
) throws -> (outcome: Outcome, configuration: RunConfiguration) {
  let path = Repository.root + "/Scenarios/\(path).scenario"
  return try judge(String(contentsOfFile: path, encoding: .utf8), bugs: bugs)
}
