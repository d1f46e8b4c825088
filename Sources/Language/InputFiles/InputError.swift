import Prose
import Scenario

/// An error in a file that the user provides: its place, the mistake and the correction, on one
/// line.
package struct InputError: Error, Hashable, CustomStringConvertible {
  package var file: String
  /// The line of the error, or `nil` if the error concerns the file as a whole.
  package var line: Int?
  package var message: String
  /// Further errors, so that the user can correct all of them at once. Their own `others` are
  /// empty.
  package var others: [InputError] = []

  package init(file: String, line: Int? = nil, message: String) {
    self.file = file
    self.line = line
    self.message = message
  }

  /// Creates an error with all errors of a text, each of which is printed on its own line.
  init(file: String, _ error: TextError) {
    self.init(file: file, line: error.line, message: printable(error.message))
    others = error.others.map { InputError(file: file, $0) }
  }

  /// This error and the others, each without `others`.
  package var all: [InputError] {
    var first = self
    first.others = []
    return [first] + others
  }

  /// The first error on one line, with the number of the others.
  package var summary: String {
    guard !others.isEmpty else { return sentence }
    return sentence
      + " (and \(others.count) more error\(others.count == 1 ? "" : "s") in this model)"
  }

  /// The text of all errors, one per line.
  package var description: String { all.map(\.sentence).joined(separator: "\n") }

  private var sentence: String {
    if let line { return "\(file):\(line): \(message)" }
    return "\(file): \(message)"
  }
}

/// The errors of one file, collected so that they can be reported together.
struct InputErrors {
  private var errors: [InputError] = []

  mutating func add(_ error: InputError) { errors += error.all }

  /// Throws all errors together, in the order of their lines.
  func throwIfAny() throws(InputError) {
    var sorted = errors.enumerated().sorted { a, b in
      (a.element.line ?? 0, a.offset) < (b.element.line ?? 0, b.offset)
    }.map(\.element)
    guard !sorted.isEmpty else { return }
    var first = sorted.removeFirst()
    first.others = sorted
    throw first
  }
}
