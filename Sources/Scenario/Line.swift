/// A line of a text that is not blank.
struct Line {
  /// Counted from 1.
  let number: Int
  /// The number of leading spaces.
  var indentation: Int
  /// What follows them, as UTF-8.
  let bytes: [UInt8]

  /// `1 space`, `2 spaces`
  var indentationText: String { indentation == 1 ? "1 space" : "\(indentation) spaces" }

  /// Its names, in their order; what is written between them separates them.
  var words: [String] {
    bytes.split { !isNameByte($0) }.map { String(decoding: $0, as: UTF8.self) }
  }

  func begins(with character: Unicode.Scalar) -> Bool { bytes.first == UInt8(ascii: character) }

  func error(_ message: String) -> TextError { TextError(line: number, message: message) }
}

/// Splits a text at its line feeds and drops blank lines. A line that ends or begins in the wrong
/// way is read as it is meant, so that only that is said of it.
func lines(of text: String, _ errors: inout TextErrors) -> [Line] {
  var result: [Line] = []
  var hasReturn = false
  var number = 0
  for part in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
    number += 1
    let margin = part.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    let tabCount = margin.count { $0 == UInt8(ascii: "\t") }
    var bytes = Array(part.dropFirst(margin.count))
    let endsWithReturn = bytes.last == UInt8(ascii: "\r")
    if endsWithReturn { bytes.removeLast() }
    let line = Line(number: number, indentation: margin.count + tabCount, bytes: bytes)
    // A file of which one line ends so has such ends throughout.
    if endsWithReturn, !hasReturn {
      hasReturn = true
      errors.add(
        line.error("line ends with a carriage return; let it end with a line feed alone"))
    }
    if line.bytes.isEmpty { continue }
    if tabCount > 0 {
      errors.add(line.error("line is indented with a tab; indent with two spaces a level"))
    }
    result.append(line)
  }
  return result
}

/// The lines of one section, taken one after the other.
struct LineCursor {
  private let lines: ArraySlice<Line>
  private var index: Int

  init(_ lines: ArraySlice<Line>) {
    self.lines = lines
    index = lines.startIndex
  }

  var next: Line? { index < lines.endIndex ? lines[index] : nil }

  /// Passes over the next line.
  mutating func pass() { index += 1 }

  /// The next line if it is indented by `indentation` or more.
  ///
  /// A line that is indented further than its place allows is an error, named after `owner`.
  mutating func take(indentedBy indentation: Int, of owner: String) throws(TextError) -> Line? {
    guard let line = next, line.indentation >= indentation else { return nil }
    if line.indentation > indentation {
      throw line.error(
        "line is indented by \(line.indentationText); \(owner) is indented by \(indentation)")
    }
    index += 1
    return line
  }
}
