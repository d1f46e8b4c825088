/// An error in a text: a message with the mistake and its correction.
package struct TextError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The subject of the error, where it decides whether another error explains this one, or whether
  /// the text would be right elsewhere.
  package enum Kind {
    /// The words of the line.
    case words
    /// The indentation or the end of the line. The words of the line are read as intended.
    case layout
    /// A name that no line of the stack declares.
    case undeclaredName(String)
    /// An entity that the model lacks. The model may have an entity with a similar name.
    case unknownEntity(hasSimilar: Bool)
  }

  /// The line number, counted from 1.
  package var line: Int
  package var message: String
  /// Further errors in the same text. Their own `others` are empty.
  package var others: [TextError] = []
  package internal(set) var kind = Kind.words
  /// A Boolean value that indicates whether an error on another line causes this one.
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

  // Two errors are equal if they print the same messages.

  package static func == (a: TextError, b: TextError) -> Bool {
    a.line == b.line && a.message == b.message && a.others == b.others
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(line)
    hasher.combine(message)
    hasher.combine(others)
  }
}

/// The errors of several lines, collected so that they can be reported together.
struct TextErrors {
  private var errors: [TextError] = []

  var count: Int { errors.count }

  var isEmpty: Bool { errors.isEmpty }

  /// A Boolean value that indicates whether all errors are about layout, so that all words were
  /// read.
  var areAboutLayout: Bool { errors.allSatisfy(\.isAboutLayout) }

  /// Adds an error together with its `others`.
  mutating func add(_ error: TextError) {
    var first = error
    first.others = []
    errors.append(first)
    errors += error.others
  }

  /// Adds errors, except those of lines that already have one. After an error, a line may be
  /// misread.
  mutating func add(contentsOf others: TextErrors) {
    let new = others.errors.filter { !hasOne(in: $0.line) }
    errors += new
  }

  /// Adds an error about layout unless it is present. The lines of a pool are read once for each of
  /// its contexts.
  mutating func addOnce(_ error: TextError) {
    if !errors.contains(error) { errors.append(error) }
  }

  /// Returns the result of `read`, or collects the errors that it throws and returns `nil`.
  ///
  /// Errors of lines that already have one are dropped, because such a line may be misread.
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

  /// Returns a Boolean value that indicates whether an error is about the words of this line.
  func hasOne(in line: Int) -> Bool {
    errors.contains { $0.line == line && !$0.isAboutLayout }
  }

  /// Returns a Boolean value that indicates whether a line between these two has an error.
  func hasOne(between first: Int, and last: Int) -> Bool {
    errors.contains { $0.line > first && $0.line < last }
  }

  /// Returns a Boolean value that indicates whether a line below this one has an error.
  func hasOne(below line: Int) -> Bool { errors.contains { $0.line > line } }

  /// Throws all errors together, in the order of their lines, without the consequences of others.
  ///
  /// Errors beyond `limit` are counted and not shown, because readers mend some and read the file
  /// again.
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
