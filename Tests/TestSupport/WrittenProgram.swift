package import Execution
package import Invariants
import Scenario
import ScenarioChecking
import Vocabulary

/// Reads the scenario of a test that names no model file. Returns its program, and a configuration
/// of runs in which the design of its stack is judged.
package func written(
  _ text: String, checkLevel: CheckLevel = .design
) throws -> (program: Program, configuration: RunConfiguration) {
  let program = Program(
    try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "there is none")) })
  var configuration = RunConfiguration(model: program.model, quirks: Profile.current.quirks)
  configuration.checkLevel = checkLevel
  configuration.stack = program.stack
  return (program, configuration)
}
