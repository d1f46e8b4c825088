import Execution
import InputFiles
import Invariants
import Scenario
import ScenarioChecking
import SimulatedCoreData
import Vocabulary

/// What a scenario's run violates when its stack is judged as a design; without quirks,
/// which would violate more.
func outcome(
  of path: String, quirks: QuirkSet = QuirkSet(), bugs: [PlantedBug] = [], compares: Bool = true
) throws -> (outcome: Outcome, configuration: RunConfiguration) {
  let scenario = try ScenarioFile.read(path: Repository.root + "/Scenarios/\(path).scenario")
  var configuration = RunConfiguration(model: scenario.model, quirks: quirks)
  configuration.checkLevel = .design
  configuration.bugs = PlantedBugSet(bugs)
  configuration.comparesWithReference = compares
  return (ProgramRunner(configuration).run(Program(scenario)), configuration)
}
