/// A line of a text that is not blank.
struct Line {
  /// Counted from 1.
  let number: Int
  /// The number of leading spaces; those that belong there, of a line that has others.
  var indentation: Int
  /// What follows them, as UTF-8.
  let bytes: [UInt8]
  /// The number of leading spaces in the text.
  private let spaceCount: Int

  init(number: Int, indentation: Int, bytes: [UInt8]) {
    self.number = number
    self.indentation = indentation
    self.bytes = bytes
    spaceCount = indentation
  }

  /// `1 space`, `2 spaces`
  var indentationText: String { spaceCount == 1 ? "1 space" : "\(spaceCount) spaces" }

  /// Its names, in their order; what is written between them separates them.
  var words: [String] {
    bytes.split { !isNameByte($0) }.map { String(decoding: $0, as: UTF8.self) }
  }

  func begins(with character: Unicode.Scalar) -> Bool { bytes.first == UInt8(ascii: character) }

  func error(_ message: String) -> TextError { TextError(line: number, message: message) }

  /// An error about where the line begins or how it ends.
  func misplaced(_ message: String) -> TextError {
    var error = error(message)
    error.kind = .layout
    return error
  }
}

/// Splits a text at its line feeds and drops blank lines. A line that ends or begins in the wrong
/// way, or has stray characters, is read as it is meant, so that only that is said of it. The first
/// side of a merge conflict is read.
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
    // A file of which one line ends so has such ends throughout.
    if endsWithReturn, !hasReturn {
      hasReturn = true
      errors.add(
        line.misplaced("line ends with a carriage return; let it end with a line feed alone"))
    }
    if line.bytes.isEmpty { continue }
    if line.isConflictMarker {
      if !hasConflict {
        errors.add(
          line.error(
            "a merge conflict is left here; keep one side, and delete the lines of markers"))
      }
      (hasConflict, isOtherSide) = (true, line.beginsOtherSide)
      continue
    }
    if isOtherSide { continue }
    if tabCount > 0 {
      // How far it is meant to be indented is a guess.
      errors.add(line.error("line is indented with a tab; indent with two spaces a level"))
    }
    result.append(line.withoutStrayCharacters(&errors))
  }
  return result
}

/// Adds an error if the line feeds of a file have been lost, so that all its words stand on one
/// line. A name alone, or an empty file, has another error.
func checkSeparation(of lines: [Line], _ errors: inout TextErrors) {
  guard lines.count == 1, lines[0].words.count > 4 else { return }
  errors.add(lines[0].error("the text is one line; each part stands on a line of its own"))
}

/// The lines of one section, taken one after the other.
struct LineCursor {
  private var lines: ArraySlice<Line>
  private var index: Int

  init(_ lines: ArraySlice<Line>) {
    self.lines = lines
    index = lines.startIndex
  }

  var next: Line? { index < lines.endIndex ? lines[index] : nil }

  /// Passes over the next line.
  mutating func pass() { index += 1 }

  /// Takes `line`, which is next.
  ///
  /// One that is indented further than its place allows is an error, named after `owner`, and is
  /// moved to where it belongs, with those below that are indented as far or further.
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

  /// Moves the next line to `indentation`, with those below that are indented further.
  mutating func moveNext(to indentation: Int) {
    let former = lines[index].indentation
    var i = index
    repeat {
      lines[i].indentation += indentation - former
      i += 1
    } while i < lines.endIndex && lines[i].indentation > former
  }
}
