package import ObjectModel
package import Vocabulary

/// Steps in one line each, for reports: `view  performAndWait { fetch Note; save }`.
package struct StepText {
  private let spelling: Spelling

  /// `steps` are the program's: they say what kind of object each name is.
  package init(
    model: ObjectModel, stack: Stack, names: [String], steps: [AddressedStep],
    _ dates: DateStyle = .seconds
  ) {
    var scenario = Scenario(name: "", evidence: .inferred, model: model, stack: stack)
    scenario.names = names
    scenario.items = steps.map { Scenario.Item($0) }
    spelling = Spelling(scenario, dates)
  }

  /// How many steps of a block are told.
  private static let limit = 3

  /// Without the steps in its block.
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
