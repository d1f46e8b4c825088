import Failures
package import Execution
package import Invariants
import ObjectModel
package import Scenario
import Vocabulary

/// A violation as a sentence with the values that prove it, and a line for each read, write and
/// save in the proof.
struct ViolationText {
  private let violation: Violation
  private let program: Program
  private let events: EventText
  private let dates: DateStyle

  init(_ violation: Violation, in program: Program, _ dates: DateStyle = .seconds) {
    (self.violation, self.program, self.dates) = (violation, program, dates)
    events = EventText(model: program.model, stack: program.stack, dates) { id in
      violation.names.first { $0.object == id }.map { program.names[$0.name.index] }
    }
  }

  /// A sentence about the violation, with a full stop.
  var sentence: String {
    let subject =
      violation.object.map { id in
        violation.property.map { events.path(id, $0) } ?? events.name(id)
      } ?? ""
    let terms = ViolationTerms(
      sentence: violation.invariant.sentence, subject: subject, context: name(violation.context),
      otherContext: violation.otherContext.map { program.stack[$0].name },
      values: violation.values.map(text), detail: violation.detail,
      step: violation.step.map(steps.text))
    return violation.invariant.definition.sentence(for: terms) + "."
  }

  var proof: ProofLineText {
    ProofLineText(stack: program.stack, events: events, steps: steps)
  }

  /// The name of the violation's property in the model.
  var attribute: String? {
    guard let object = violation.object, let property = violation.property else { return nil }
    return program.model[object.entity][property].name
  }

  private var steps: StepText {
    StepText(
      model: program.model, stack: program.stack, names: program.names, steps: program.steps,
      dates)
  }

  private func text(_ value: Value) -> String {
    guard let object = violation.object, let property = violation.property else {
      return events.text(value)
    }
    return events.text(value, of: object, property)
  }

  private func name(_ context: ContextID?) -> String {
    context.map { program.stack[$0].name } ?? ""
  }
}

/// A violation as text, with a sentence and the lines of its proof.
package struct ViolationFinding {
  package let sentence: String
  /// The lines of the proof, in order. Lines that belong to no single step have the number 0.
  package let proof: [(step: Int, text: String)]
}

extension Violation {
  package func finding(in program: Program) -> ViolationFinding {
    let text = ViolationText(self, in: program)
    let words = text.proof
    return ViolationFinding(
      sentence: text.sentence, proof: proof.map { ($0.step, words.sentence($0)) })
  }

  /// Returns the sentence with its place, and the lines of the proof.
  ///
  /// - Parameter others: Violations of the same kind that the same step shows. Each adds a
  ///   sentence.
  package func report(
    in program: Program, with others: ArraySlice<Violation> = [], _ dates: DateStyle = .seconds
  ) -> String {
    let text = ViolationText(self, in: program, dates)
    let sentences =
      [text.sentence] + others.map { ViolationText($0, in: program, dates).sentence }
    let start = "\(place): \(kind.name). \(sentences.joined(separator: " "))"
    return ([start] + proof.map { "  " + text.proof.line($0) }).joined(separator: "\n")
  }
}
