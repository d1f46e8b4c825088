package import Execution
import Scenario
import ScenarioChecking

/// Programs of a test over one store, with two entities.
package enum SmallProgram {
  package static let pair = """
      view  mainQueue coordinator store
      edit  privateQueue parent view
    """
  package static let twoRoots = """
      view  mainQueue coordinator store
      sync  privateQueue coordinator store policy mergeByPropertyObjectTrump
    """
  package static let chain = pair + "\n  detail  privateQueue parent edit"

  /// `stack` and `steps` are lines that are indented by two.
  package static func program(
    _ stack: String = pair, interleave: String = "", steps: String
  ) throws -> Program {
    let text = """
      scenario  test
      evidence  inferred
      \(interleave.isEmpty ? "" : "interleave  choices \(interleave)\n")
      model
        Note
          title  string?
          body  string?
        Memo
          text  string?

      stack
        store  main
      \(stack)

      steps
      \(steps)

      claims
        succeeded

      """
    return Program(
      try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "there is none")) })
  }

  package static func steps(of program: Program) -> [String] {
    let text = StepText(
      model: program.model, stack: program.stack, names: program.names, steps: program.steps)
    return program.steps.map { text.text($0).split(separator: " ").joined(separator: " ") }
  }
}
