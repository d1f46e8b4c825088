/// The names that a Swift source uses, as the list of symbols writes them.
struct SourceSymbols {
  private(set) var imports: [String] = []
  /// The used names, in the order of the source. Members and overridden names have a dot before
  /// them.
  private(set) var used: [String] = []
  /// Words that begin with `#` and attributes.
  private(set) var directives: [String] = []

  private struct Word {
    var text: String
    var isMember: Bool
    /// The byte that follows the word, after any spaces.
    var next: UInt8

    var isLowercase: Bool { text.first?.isLowercase == true }
    var isLabel: Bool { next == UInt8(ascii: ":") && !isMember && isLowercase }

    var isFollowedByWord: Bool {
      !isMember && isLowercase && Unicode.Scalar(next).properties.isAlphabetic
    }
  }

  private var words: [Word] = []
  private var declared: Set<String> = ["error"]

  private static let keywords: Set<String> = [
    "final", "class", "private", "let", "func", "throws", "try", "if", "else", "guard", "for", "in",
    "while", "return", "override", "init", "self", "super", "nil", "true", "false", "lazy", "as",
    "is", "switch", "case", "default", "do", "catch", "weak", "static", "struct", "where", "defer",
    "extension", "enum", "break", "continue", "var", "import", "_", "unowned", "repeat", "any",
    "nonisolated", "unsafe",
  ]
  private static let declarators: Set<String> = ["let", "var", "func", "class", "struct", "enum"]

  init(_ source: String) {
    let bytes = Array(source.utf8)
    var position = 0
    scan(bytes, &position, depth: nil)
    for (index, word) in words.enumerated() {
      let before = index > 0 ? words[index - 1].text : ""
      if before == "import" {
        imports.append(word.text)
      } else if SourceSymbols.declarators.contains(before), !word.isMember {
        let isOverride = index > 1 && words[index - 2].text == "override"
        if isOverride { used.append(".\(word.text)") } else { declared.insert(word.text) }
      } else if word.isLabel {
        declared.insert(word.text)
        // The argument label of the parameter.
        if index > 0, words[index - 1].isFollowedByWord { declared.insert(before) }
      } else if !SourceSymbols.keywords.contains(word.text) {
        used.append((word.isMember ? "." : "") + word.text)
      }
    }
  }

  /// Returns whether the source itself declares `name`.
  func declares(_ name: String) -> Bool { declared.contains(String(name.drop { $0 == "." })) }

  /// Reads code to its end, or to the parenthesis that ends an interpolation.
  private mutating func scan(_ bytes: [UInt8], _ position: inout Int, depth: Int?) {
    var depth = depth
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "/") where bytes[position...].starts(with: "//".utf8):
        while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
      case UInt8(ascii: "\""): scanText(bytes, &position)
      case UInt8(ascii: "#"), UInt8(ascii: "@"):
        directives.append(word(bytes, &position))
      case _ where isWord(byte):
        let isMember = position > 0 && bytes[position - 1] == UInt8(ascii: ".")
        let isNumber = byte <= UInt8(ascii: "9")
        let text = word(bytes, &position)
        let next = bytes[position...].first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") }
        if isNumber { continue }
        words.append(Word(text: text, isMember: isMember, next: next ?? 0))
        if text == "in" { declareParameters() }
      default:
        if byte == UInt8(ascii: "(") { depth = depth.map { $0 + 1 } }
        if byte == UInt8(ascii: ")") { depth = depth.map { $0 - 1 } }
        position += 1
        if depth == 0 { return }
      }
    }
  }

  /// Scans a literal on one line. Interpolations are code.
  private mutating func scanText(_ bytes: [UInt8], _ position: inout Int) {
    position += 1
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      if bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count {
        position += 2
        if bytes[position - 1] == UInt8(ascii: "(") { scan(bytes, &position, depth: 1) }
      } else {
        position += 1
      }
    }
    position += 1
  }

  /// Declares the parameters of `{ found, other in`: the words before `in`, up to the first that is
  /// a keyword or a member.
  private mutating func declareParameters() {
    for word in words.dropLast().reversed().prefix(4) {
      let isPlain = !word.isMember && word.isLowercase
      guard isPlain, !SourceSymbols.keywords.contains(word.text) else { return }
      declared.insert(word.text)
      if word.next != UInt8(ascii: ",") && word.next != UInt8(ascii: "i") { return }
    }
  }

  private func word(_ bytes: [UInt8], _ position: inout Int) -> String {
    let start = position
    position += 1
    while position < bytes.count, isWord(bytes[position]) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}
