import Prose

/// Reads one line from left to right. Words may be separated by any number of spaces.
struct LineReader {
  let line: Int
  private let bytes: [UInt8]
  private var position = 0

  init(_ line: Line) {
    self.line = line.number
    bytes = line.bytes
  }

  func error(_ message: String) -> TextError { TextError(line: line, message: message) }

  /// Returns an error about a name that no line of the stack declares.
  func undeclared(_ name: String, _ message: String) -> TextError {
    var error = error(message)
    error.kind = .undeclaredName(name)
    return error
  }

  /// Returns an error about the name of an entity that a model lacks, whose entities are `known`.
  func unknownEntity(_ name: String, _ known: [String], _ message: String) -> TextError {
    var error = error(message)
    error.kind = .unknownEntity(hasSimilar: nearestWord(to: name, among: known) != nil)
    return error
  }

  /// Returns an error that is a consequence of another error.
  func consequence(_ message: String) -> TextError {
    var error = error(message)
    error.isConsequence = true
    return error
  }

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpaces() {
    while byte == UInt8(ascii: " ") { position += 1 }
  }

  var isAtEnd: Bool {
    var copy = self
    copy.skipSpaces()
    return copy.byte == nil
  }

  /// The next word, which stays in the line. Used for error messages and lookahead.
  var nextWord: String {
    var copy = self
    return copy.word()
  }

  /// Takes the rest of the line and returns it without surrounding spaces.
  mutating func rest() -> String {
    skipSpaces()
    var part = bytes[position...]
    while part.last == UInt8(ascii: " ") { part.removeLast() }
    position = bytes.count
    return String(decoding: part, as: UTF8.self)
  }

  /// Takes the rest of the line and returns it with all spaces except the first.
  mutating func verbatimRest() -> String {
    if byte == UInt8(ascii: " ") { position += 1 }
    let part = bytes[position...]
    position = bytes.count
    return String(decoding: part, as: UTF8.self)
  }

  func expectEnd() throws(TextError) {
    if isAtEnd { return }
    throw error("unexpected '\(shortened(nextWord))'; the line should end before it")
  }

  /// Takes all characters up to the next space, comma or closing bracket.
  mutating func word() -> String {
    skipSpaces()
    let start = position
    while let next = byte, next != UInt8(ascii: " "), next != UInt8(ascii: ","),
      next != UInt8(ascii: "]"), next != UInt8(ascii: "}"), next != UInt8(ascii: ")")
    {
      position += 1
    }
    if position == start && byte != nil { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  mutating func word(_ what: String) throws(TextError) -> String {
    if isAtEnd { throw missing(what) }
    return word()
  }

  /// Takes a name: letters, digits and underscores, without a leading digit.
  mutating func identifier() -> String? {
    let name = nameBytes()
    return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
  }

  private mutating func nameBytes() -> ArraySlice<UInt8> {
    skipSpaces()
    let start = position
    while let next = byte, isNameByte(next), position > start || !isDigit(next) { position += 1 }
    return bytes[start..<position]
  }

  mutating func identifier(_ what: String) throws(TextError) -> String {
    if let name = identifier() { return name }
    throw missing(what)
  }

  /// Returns an error that says that `what` is missing at this position.
  func missing(_ what: String) -> TextError {
    isAtEnd
      ? error("expected \(what), but the line ends")
      : error("expected \(what) instead of '\(shortened(nextWord))'")
  }

  /// Takes `symbol` if it is next, skipping any spaces.
  mutating func takes(_ symbol: String) -> Bool {
    var copy = self
    copy.skipSpaces()
    guard copy.takesDirectly(symbol) else { return false }
    self = copy
    return true
  }

  /// Takes `symbol` if it is next and no space precedes it.
  mutating func takesDirectly(_ symbol: String) -> Bool {
    guard bytes[position...].starts(with: symbol.utf8) else { return false }
    position += symbol.utf8.count
    return true
  }

  mutating func expect(_ symbol: String) throws(TextError) {
    if !takes(symbol) { throw missing("'\(symbol)'") }
  }

  /// Takes `keyword` if it is the next word.
  mutating func takes(keyword: String) -> Bool {
    var copy = self
    guard copy.nameBytes().elementsEqual(keyword.utf8) else { return false }
    self = copy
    return true
  }

  mutating func expect(keyword: String) throws(TextError) {
    if !takes(keyword: keyword) { throw missing("'\(keyword)'") }
  }

  /// Takes a count. The limit ensures that sums of a few counts do not overflow.
  mutating func count(_ what: String, from least: Int = 0) throws(TextError) -> Int {
    let limit = Int(Int32.max)
    let start = self
    guard let number = decimalNumber(word()), least <= number, number <= limit else {
      throw start.missing("\(what) from \(least) to \(limit)")
    }
    return number
  }

  /// Takes text up to a closing mark and replaces its escapes. The opening mark is already taken.
  mutating func escapedText(until end: Unicode.Scalar) throws(TextError) -> String {
    var text: [UInt8] = []
    while let next = byte {
      position += 1
      if next == UInt8(ascii: end) { return String(decoding: text, as: UTF8.self) }
      guard next == UInt8(ascii: "\\") else {
        text.append(next)
        continue
      }
      switch byte {
      case UInt8(ascii: "n"): text.append(UInt8(ascii: "\n"))
      case UInt8(ascii: "r"): text.append(UInt8(ascii: "\r"))
      case UInt8(ascii: "\\"): text.append(UInt8(ascii: "\\"))
      case UInt8(ascii: end): text.append(UInt8(ascii: end))
      default: throw error("text has an unknown escape; write \\\(end), \\\\, \\n or \\r")
      }
      position += 1
    }
    throw error("text has no end; close it with \(end)")
  }
}

/// Returns a Boolean value that indicates whether `text` is a name.
func isIdentifier(_ text: String) -> Bool {
  text.utf8.allSatisfy(isNameByte) && text.utf8.first.map { !isDigit($0) } ?? false
}

/// Returns the number that `text` spells in its canonical form, so that `+1` and `01` are rejected.
func decimalNumber(_ text: String) -> Int? {
  guard let number = Int(text), text == "\(number)" else { return nil }
  return number
}

func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

func isNameByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "_"):
    true
  default: isDigit(byte)
  }
}
