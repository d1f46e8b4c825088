/// A nonblank line of a text.
struct Line {
  /// The line number, counted from 1.
  let number: Int
  /// The number of leading spaces, corrected if the line is indented wrongly.
  var indentation: Int
  /// The line without its indentation, as UTF-8.
  let bytes: [UInt8]
  /// The number of leading spaces in the text, before any correction.
  private let spaceCount: Int

  init(number: Int, indentation: Int, bytes: [UInt8]) {
    self.number = number
    self.indentation = indentation
    self.bytes = bytes
    spaceCount = indentation
  }

  /// The number of leading spaces in the text, as in `2 spaces`.
  var indentationText: String { spaceCount == 1 ? "1 space" : "\(spaceCount) spaces" }

  /// The names in the line, in order. All other characters separate names.
  var words: [String] {
    bytes.split { !isNameByte($0) }.map { String(decoding: $0, as: UTF8.self) }
  }

  func begins(with character: Unicode.Scalar) -> Bool { bytes.first == UInt8(ascii: character) }

  func error(_ message: String) -> TextError { TextError(line: number, message: message) }

  /// Returns an error about the indentation or the end of the line.
  func misplaced(_ message: String) -> TextError {
    var error = error(message)
    error.kind = .layout
    return error
  }
}

/// Splits a text at its line feeds and drops blank lines.
///
/// Reports a wrong indentation or line end, and stray characters, once, and then reads the line as
/// intended. Of a merge conflict, only the first side is read.
func lines(of text: String, _ errors: inout TextErrors) -> [Line] {
  var result: [Line] = []
  var hasReturn = false
  var (hasConflict, isOtherSide) = (false, false)
  var number = 0
  for part in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
    number += 1
    let margin = part.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    let tabCount = margin.count { $0 == UInt8(ascii: "\t") }
    var bytes = Array(part.dropFirst(margin.count))
    let endsWithReturn = bytes.last == UInt8(ascii: "\r")
    if endsWithReturn { bytes.removeLast() }
    let line = Line(number: number, indentation: margin.count + tabCount, bytes: bytes)
    // Reported once, because such line ends usually occur throughout a file.
    if endsWithReturn, !hasReturn {
      hasReturn = true
      errors.add(
        line.misplaced("line ends with a carriage return; end lines with a line feed only"))
    }
    if line.bytes.isEmpty { continue }
    if line.isConflictMarker {
      if !hasConflict {
        errors.add(
          line.error(
            "unresolved merge conflict; keep one side, and delete the conflict markers"))
      }
      (hasConflict, isOtherSide) = (true, line.beginsOtherSide)
      continue
    }
    if isOtherSide { continue }
    if tabCount > 0 {
      // The intended indentation can only be guessed.
      errors.add(line.error("line is indented with a tab; indent with two spaces per level"))
    }
    result.append(line.withoutStrayCharacters(&errors))
  }
  return result
}

/// Adds an error if a file has lost its line feeds, so that all its words are on one line. A single
/// name and an empty file have other errors.
func checkSeparation(of lines: [Line], _ errors: inout TextErrors) {
  guard lines.count == 1, lines[0].words.count > 4 else { return }
  errors.add(lines[0].error("the text is a single line; write each part on a separate line"))
}

/// A cursor over the lines of a section.
struct LineCursor {
  private var lines: ArraySlice<Line>
  private var index: Int

  init(_ lines: ArraySlice<Line>) {
    self.lines = lines
    index = lines.startIndex
  }

  var next: Line? { index < lines.endIndex ? lines[index] : nil }

  /// Skips the next line.
  mutating func pass() { index += 1 }

  /// Takes `line`, which must be the next line.
  ///
  /// A line that is indented too far is an error, and its indentation is corrected. The lines below
  /// it that are indented as far or further move with it.
  ///
  /// - Parameter owner: The line's role in the error message.
  mutating func take(
    _ line: Line, indentedBy indentation: Int, of owner: String, _ errors: inout TextErrors
  ) -> Line {
    var line = line
    if line.indentation > indentation {
      errors.addOnce(
        line.misplaced(
          "line is indented by \(line.indentationText); \(owner) is indented by \(indentation)"))
      let excess = line.indentation - indentation
      for i in lines[index...].indices {
        if lines[i].indentation < line.indentation { break }
        lines[i].indentation -= excess
      }
      line.indentation = indentation
    }
    index += 1
    return line
  }

  /// Moves the next line to `indentation`, together with the lines below it that are indented
  /// further.
  mutating func moveNext(to indentation: Int) {
    let former = lines[index].indentation
    var i = index
    repeat {
      lines[i].indentation += indentation - former
      i += 1
    } while i < lines.endIndex && lines[i].indentation > former
  }
}
