/// Why a text cannot be read: one sentence that says what is wrong and what would be right.
package struct TextError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Counted from 1.
  package var line: Int
  package var message: String
  /// What else is wrong with the same file. These have no others themselves.
  package var others: [TextError] = []
  /// Whether an error on another line is the reason for it.
  var isConsequence = false

  package init(line: Int, message: String) {
    self.line = line
    self.message = message
  }

  package var description: String { "line \(line): \(message)" }
}

/// What is wrong with several lines, collected so that all of it can be said at once.
struct TextErrors {
  private var errors: [TextError] = []

  var count: Int { errors.count }

  mutating func add(_ error: TextError) { errors.append(error) }

  /// Whether there is an error of a line below this one.
  func hasOne(below line: Int) -> Bool { errors.contains { $0.line > line } }

  /// Throws them together, in the order of their lines, without those that others explain. More
  /// than `limit` are counted and not shown: a reader mends some and reads the file again.
  func throwIfAny(upTo limit: Int = .max) throws(TextError) {
    let causes = errors.filter { !$0.isConsequence }
    var sorted = (causes.isEmpty ? errors : causes).enumerated().sorted { a, b in
      (a.element.line, a.offset) < (b.element.line, b.offset)
    }.map(\.element)
    guard !sorted.isEmpty else { return }
    var first = sorted.removeFirst()
    first.others = Array(sorted.prefix(limit - 1))
    if let next = sorted.dropFirst(limit - 1).first {
      let count = sorted.count - limit + 1
      let rest = count == 1 ? "1 more error is" : "\(count) more errors are"
      first.others.append(TextError(line: next.line, message: "\(rest) not shown, from here on"))
    }
    throw first
  }
}
