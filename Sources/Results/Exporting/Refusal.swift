/// The reason why a scenario cannot be exported. Core Data has no call for a step or a part of the
/// stack, or the exporter does not support it yet.
package struct Refusal: Error, Hashable {
  /// The line of the scenario's file, or nil if no line is responsible.
  package var line: Int?
  /// The step, claim or line of the stack, as written in the scenario.
  package var subject: String
  /// The reason, as the end of a sentence.
  package var reason: String

  package init(line: Int? = nil, _ subject: String, _ reason: String) {
    self.line = line
    self.subject = subject
    self.reason = reason
  }

  /// The complete message, such as `'sync  suspend' cannot be exported: …`.
  package var message: String { "'\(subject)' cannot be exported: \(reason)" }
}
