/// Why a text cannot be read: one sentence that says what is wrong and what would be right.
package struct TextError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Counted from 1.
  package var line: Int
  package var message: String
  /// What else is wrong with the same model. These have no others themselves.
  package var others: [TextError] = []

  package init(line: Int, message: String) {
    self.line = line
    self.message = message
  }

  package var description: String { "line \(line): \(message)" }
}

/// What is wrong with several lines, collected so that all of it can be said at once.
struct TextErrors {
  private var errors: [TextError] = []

  mutating func add(_ error: TextError) { errors.append(error) }

  /// Throws them together, in the order of their lines.
  func throwIfAny() throws(TextError) {
    var sorted = errors.enumerated().sorted { a, b in
      (a.element.line, a.offset) < (b.element.line, b.offset)
    }.map(\.element)
    guard !sorted.isEmpty else { return }
    var first = sorted.removeFirst()
    first.others = sorted
    throw first
  }
}
