package import Execution
import ObjectModel
package import Scenario
import Vocabulary

extension Program {
  /// The program that a scenario writes down, with the schedule that it replays.
  package init(_ scenario: Scenario) {
    var schedule: [UInt32] = []
    if case .choices(let choices) = scenario.interleave { schedule = choices.map { UInt32($0) } }
    self.init(
      model: scenario.model, stack: scenario.stack, names: scenario.names,
      steps: scenario.items.map(\.step), schedule: schedule,
      isInterleaved: scenario.interleave != .inOrder)
  }
}
