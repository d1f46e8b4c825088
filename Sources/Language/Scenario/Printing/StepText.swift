package import ObjectModel
package import Vocabulary

/// Prints steps on one line each, for reports: `view  performAndWait { fetch Note; save }`.
package struct StepText {
  private let spelling: Spelling

  /// Creates a printer of steps.
  ///
  /// - Parameter steps: The steps of the program, which determine the entity of each name.
  package init(
    model: ObjectModel, stack: Stack, names: [String], steps: [AddressedStep],
    _ dates: DateStyle = .seconds
  ) {
    var scenario = Scenario(name: "", evidence: .inferred, model: model, stack: stack)
    scenario.names = names
    scenario.items = steps.map { Scenario.Item($0) }
    spelling = Spelling(scenario, dates)
  }

  /// The maximum number of steps that are shown for a block.
  private static let limit = 3

  /// Returns the line of a step without the steps in its block.
  package func line(_ step: AddressedStep) -> String { spelling.lines(step, blockLane: nil)[0] }

  package func text(_ step: AddressedStep) -> String {
    let line = line(step)
    guard let block = step.step.block, !block.isEmpty else { return line }
    let lane = step.step.traits.contains(.runsOnAppQueue) ? nil : step.context
    var inner = block.prefix(StepText.limit).map { spelling.lines($0, blockLane: lane)[0] }
    if block.count > StepText.limit { inner.append("…") }
    return line + " { " + inner.joined(separator: "; ") + " }"
  }
}
