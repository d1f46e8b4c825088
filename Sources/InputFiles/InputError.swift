import Prose
import Scenario

/// What is wrong with something the user handed over, in one line: where, what, and what would be
/// right.
package struct InputError: Error, Hashable, CustomStringConvertible {
  package var file: String
  /// Nil where the complaint is about the file as a whole.
  package var line: Int?
  package var message: String
  /// What else is wrong with it, so that one round mends all. These have no others themselves.
  package var others: [InputError] = []

  package init(file: String, line: Int? = nil, message: String) {
    self.file = file
    self.line = line
    self.message = message
  }

  /// What is wrong with a text, of which each line is on a line of its own.
  init(file: String, _ error: TextError) {
    self.init(file: file, line: error.line, message: printable(error.message))
    others = error.others.map { InputError(file: file, $0) }
  }

  /// This and the others, each by itself.
  package var all: [InputError] {
    var first = self
    first.others = []
    return [first] + others
  }

  /// The first on one line, with the number of the others.
  package var summary: String {
    guard !others.isEmpty else { return sentence }
    return sentence
      + " (and \(others.count) more error\(others.count == 1 ? "" : "s") in this model)"
  }

  /// One line for each.
  package var description: String { all.map(\.sentence).joined(separator: "\n") }

  private var sentence: String {
    if let line { return "\(file):\(line): \(message)" }
    return "\(file): \(message)"
  }
}

/// All that is wrong with one thing, collected while it is read to its end.
struct InputErrors {
  private var errors: [InputError] = []

  mutating func add(_ error: InputError) { errors += error.all }

  /// Throws them together, in the order of their lines.
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
