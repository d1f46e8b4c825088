import Failures
package import Execution
import Invariants
import ObjectModel
import Scenario
import Vocabulary

/// A violation as one sentence, with the values that prove it, and a line for each read, write and
/// save that does.
extension Violation {
  package func report(in program: Program) -> String {
    let events = EventText(model: program.model, stack: program.stack) { id in
      names.first { $0.object == id }.map { program.names[$0.name.index] }
    }
    let steps = StepText(
      model: program.model, stack: program.stack, names: program.names, steps: program.steps)
    let text = ProofLineText(stack: program.stack, events: events, steps: steps)
    let subject =
      object.map { id in property.map { events.path(id, $0) } ?? events.name(id) } ?? ""
    let start = "\(place): \(kind.name)"
    let terms = ViolationTerms(
      sentence: invariant.sentence, subject: subject, context: name(context, in: program.stack),
      otherContext: otherContext.map { program.stack[$0].name }, values: values.map(events.text),
      detail: detail, step: step.map(steps.text))
    let sentence = invariant.definition.sentence(for: terms) + "."
    return ([start + ". " + sentence] + proof.map { "  " + text.line($0) }).joined(separator: "\n")
  }

  private func name(_ context: ContextID?, in stack: Stack) -> String {
    context.map { stack[$0].name } ?? ""
  }
}
