import Foundation

/// Splits a Swift source into tokens, as far as the rewriter needs them. Literals are single
/// tokens, and comments are skipped.
package struct SwiftLexer {
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var tokens: [SwiftToken] = []
  private var directives: [(line: Int, text: String)] = []

  /// The first word of a comment that is meant for Faultline.
  private static let directiveStart = "faultline:"

  /// Returns the tokens of a source, even of an invalid source.
  package static func tokens(of source: String) -> [SwiftToken] {
    var lexer = SwiftLexer(bytes: Array(source.utf8))
    lexer.run()
    return lexer.tokens
  }

  /// Returns the comments of one line that are meant for Faultline, without their first word, and
  /// their lines.
  static func directives(of source: String) -> [(line: Int, text: String)] {
    if !source.lowercased().contains(directiveStart) { return [] }
    var lexer = SwiftLexer(bytes: Array(source.utf8))
    lexer.run()
    return lexer.directives
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private subscript(offset: Int) -> UInt8 {
    position + offset < bytes.count ? bytes[position + offset] : 0
  }

  private func isAt(_ text: StaticString) -> Bool {
    let text = text.description.utf8
    return bytes[position...].starts(with: text)
  }

  private mutating func run() {
    var lastLine = 0
    while position < bytes.count {
      if skipsSpace() { continue }
      let (start, startLine) = (position, line)
      let kind = take()
      let text = String(decoding: bytes[start..<position], as: UTF8.self)
      tokens.append(
        SwiftToken(
          kind: kind, text: text, range: start..<position, line: startLine,
          beginsLine: startLine > lastLine))
      lastLine = line
    }
  }

  private mutating func step() {
    if bytes[position] == UInt8(ascii: "\n") { line += 1 }
    position += 1
  }

  /// Skips one space or comment.
  private mutating func skipsSpace() -> Bool {
    if isAt("//") {
      noteDirective()
      while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { step() }
      return true
    }
    if isAt("/*") {
      var depth = 0
      repeat {
        if isAt("/*") {
          depth += 1
          position += 2
        } else if isAt("*/") {
          depth -= 1
          position += 2
        } else {
          step()
        }
      } while depth > 0 && position < bytes.count
      return true
    }
    guard self[0] <= UInt8(ascii: " ") else { return false }
    step()
    return true
  }

  /// Notes the comment at this position if it is meant for Faultline: if it begins with
  /// `faultline:`, or with `Faultline:` and the word `promise`.
  private mutating func noteDirective() {
    let start = SwiftLexer.directiveStart
    // Most comments do not begin with the first letter.
    let first = bytes[position...].first { $0 != UInt8(ascii: "/") && $0 > UInt8(ascii: " ") }
    guard first == UInt8(ascii: "f") || first == UInt8(ascii: "F") else { return }
    let comment = bytes[position...].prefix { $0 != UInt8(ascii: "\n") }
    let text = String(decoding: comment, as: UTF8.self).drop { $0 == "/" || $0.isWhitespace }
    let words = text.dropFirst(start.count).trimmingCharacters(in: .whitespacesAndNewlines)
    guard text.prefix(start.count).lowercased() == start,
      text.hasPrefix(start) || words.hasPrefix("promise")
    else { return }
    directives.append((line, words))
  }

  private mutating func take() -> SwiftToken.Kind {
    let hashes = bytes[position...].prefix { $0 == UInt8(ascii: "#") }.count
    if self[hashes] == UInt8(ascii: "\"") {
      takeText(hashes)
      return .text
    }
    if hashes > 0, self[hashes] == UInt8(ascii: "/") {
      takePattern(hashes)
      return .text
    }
    if SwiftLexer.isDigit(self[0]) {
      while SwiftLexer.isWord(self[0])
        || (self[0] == UInt8(ascii: ".") && SwiftLexer.isDigit(self[1]))
      {
        position += 1
      }
      return .number
    }
    if self[0] == UInt8(ascii: "`") {
      position += 1
      while position < bytes.count, self[0] != UInt8(ascii: "`") { step() }
      position = min(position + 1, bytes.count)
      return .word
    }
    if SwiftLexer.isWord(self[0]) || (hashes == 1 && SwiftLexer.isWord(self[1])) {
      position += 1
      while SwiftLexer.isWord(self[0]) { position += 1 }
      return .word
    }
    position +=
      isAt("->") || isAt("...") || isAt("..<") ? (self[0] == UInt8(ascii: "-") ? 2 : 3) : 1
    return .sign
  }

  /// Returns a Boolean value that indicates whether a raw literal that begins with three quotation
  /// marks ends on its line. `#"""#` is one quotation mark.
  private func isShortRaw(_ hashes: Int) -> Bool {
    guard hashes > 0 else { return false }
    let end = [UInt8(ascii: "\"")] + Array(repeating: UInt8(ascii: "#"), count: hashes)
    let line = bytes[(position + 1)...].prefix { $0 != UInt8(ascii: "\n") }
    return line.indices.contains { line[$0...].starts(with: end) }
  }

  /// Takes a string literal, with the literals in its interpolations.
  private mutating func takeText(_ hashes: Int) {
    position += hashes
    let isLong = isAt("\"\"\"") && !isShortRaw(hashes)
    let quotes = isLong ? 3 : 1
    position += quotes
    let end =
      Array(repeating: UInt8(ascii: "\""), count: quotes)
      + Array(repeating: UInt8(ascii: "#"), count: hashes)
    let escape = [UInt8(ascii: "\\")] + Array(repeating: UInt8(ascii: "#"), count: hashes)
    while position < bytes.count {
      if bytes[position...].starts(with: end) {
        position += end.count
        return
      }
      if bytes[position...].starts(with: escape) {
        position += escape.count
        if self[0] == UInt8(ascii: "(") {
          takeInterpolation()
        } else if position < bytes.count {
          step()
        }
        continue
      }
      // A short literal ends with its line, even if it is invalid.
      if !isLong, self[0] == UInt8(ascii: "\n") { return }
      step()
    }
  }

  private mutating func takeInterpolation() {
    var depth = 0
    while position < bytes.count {
      if skipsSpace() { continue }
      switch self[0] {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      default: break
      }
      if depth == 0 {
        position += 1
        return
      }
      _ = take()
    }
  }

  /// Takes a regular expression between `#/` and `/#`.
  private mutating func takePattern(_ hashes: Int) {
    let end = [UInt8(ascii: "/")] + Array(repeating: UInt8(ascii: "#"), count: hashes)
    position += hashes + 1
    while position < bytes.count, !bytes[position...].starts(with: end) { step() }
    position = min(position + end.count, bytes.count)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  /// Letters beyond ASCII count as parts of words.
  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: isDigit(byte)
    }
  }
}
