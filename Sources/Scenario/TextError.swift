/// Why a text cannot be read: one sentence that says what is wrong and what would be right.
package struct TextError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What it is about, where that decides whether another error explains it.
  enum Kind {
    /// What stands in the line.
    case words
    /// The spaces in front of the line, or what ends it: what stands in it is read as it is meant.
    case layout
    /// A name that no line of the stack declares.
    case undeclaredName(String)
  }

  /// Counted from 1.
  package var line: Int
  package var message: String
  /// What else is wrong with the same file. These have no others themselves.
  package var others: [TextError] = []
  var kind = Kind.words
  /// Whether an error on another line is the reason for it.
  var isConsequence = false

  package init(line: Int, message: String) {
    self.line = line
    self.message = message
  }

  package var description: String { "line \(line): \(message)" }

  var isAboutLayout: Bool {
    if case .layout = kind { return true }
    return false
  }

  // Two errors are equal if a reader is told the same.

  package static func == (a: TextError, b: TextError) -> Bool {
    a.line == b.line && a.message == b.message && a.others == b.others
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(line)
    hasher.combine(message)
    hasher.combine(others)
  }
}

/// What is wrong with several lines, collected so that all of it can be said at once.
struct TextErrors {
  private var errors: [TextError] = []

  var count: Int { errors.count }

  var isEmpty: Bool { errors.isEmpty }

  /// Whether every line was read as it is meant.
  var areAboutLayout: Bool { errors.allSatisfy(\.isAboutLayout) }

  /// An error with others is all of them.
  mutating func add(_ error: TextError) {
    var first = error
    first.others = []
    errors.append(first)
    errors += error.others
  }

  /// What a line that has an error already was taken for says nothing.
  mutating func add(contentsOf others: TextErrors) {
    let new = others.errors.filter { !hasOne(in: $0.line) }
    errors += new
  }

  /// Adds an error about layout, once: the lines of a pool are read once for each of its contexts.
  mutating func addOnce(_ error: TextError) {
    if !errors.contains(error) { errors.append(error) }
  }

  /// What `read` answers; nil, and its errors are added, if it throws some. What a line that has an
  /// error already was taken for says nothing.
  mutating func collect<Value>(_ read: () throws(TextError) -> Value) -> Value? {
    do throws(TextError) {
      return try read()
    } catch {
      var first = error
      first.others = []
      let new = ([first] + error.others).filter { !hasOne(in: $0.line) }
      errors += new
      return nil
    }
  }

  /// Whether there is an error about what stands in this line.
  func hasOne(in line: Int) -> Bool {
    errors.contains { $0.line == line && !$0.isAboutLayout }
  }

  /// Whether there is an error of a line that is between these two.
  func hasOne(between first: Int, and last: Int) -> Bool {
    errors.contains { $0.line > first && $0.line < last }
  }

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
