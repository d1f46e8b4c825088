package import Execution
import ObjectModel
package import Scenario
import Vocabulary

extension Program {
  /// Creates the program of a scenario, with the schedule that the scenario replays.
  package init(_ scenario: Scenario) {
    var schedule: [UInt32] = []
    if case .choices(let choices) = scenario.interleave { schedule = choices.map { UInt32($0) } }
    self.init(
      model: scenario.model, stack: scenario.stack, names: scenario.names,
      steps: scenario.items.map(\.step), schedule: schedule,
      isInterleaved: scenario.interleave != .inOrder)
  }
}
