/// Why a scenario cannot be exported: a step or a part of its stack for which Core Data has no call
/// that a Swift program could make, or that this tool cannot write yet.
package struct Refusal: Error, Hashable {
  /// The line of the scenario's file; nil if no line is to blame.
  package var line: Int?
  /// The step, the claim or the line of the stack, as a scenario has it.
  package var subject: String
  /// Why it cannot be exported, as the end of a sentence.
  package var reason: String

  package init(line: Int? = nil, _ subject: String, _ reason: String) {
    self.line = line
    self.subject = subject
    self.reason = reason
  }

  /// `'sync  suspend' cannot be exported: …`
  package var message: String { "'\(subject)' cannot be exported: \(reason)" }
}
