import Prose

/// Characters that editors and version control insert into a text, and that no line can have
/// outside of strings. They look like valid characters, so errors must name them.
extension Line {
  /// Returns the line with stray characters replaced by the intended ones, and adds an error for
  /// the first of them.
  ///
  /// Comments, transcripts and the words of a header may contain any character.
  func withoutStrayCharacters(_ errors: inout TextErrors) -> Line {
    let isHeader = indentation == 0 && bytes.contains(UInt8(ascii: " "))
    if isHeader || begins(with: "#") || begins(with: ">") || bytes.allSatisfy({ $0 < 0x80 }) {
      return self
    }
    var text = String.UnicodeScalarView()
    var complaint: String?
    // The character that ends the current literal: a quotation mark or `>`.
    var end: Unicode.Scalar?
    var isEscaped = false
    for (index, scalar) in String(decoding: bytes, as: UTF8.self).unicodeScalars.enumerated() {
      if let ending = end {
        text.append(scalar)
        if !isEscaped, scalar == ending { end = nil }
        isEscaped = scalar == "\\" && !isEscaped
        continue
      }
      if scalar == "\"" { end = scalar }
      if scalar == "<" { end = ">" }
      if scalar.isASCII {
        text.append(scalar)
        continue
      }
      let (replacement, message) = scalar.asMeant
      complaint = complaint ?? "\(message), in column \(indentation + index + 1)"
      text.append(replacement)
    }
    guard let complaint else { return self }
    errors.add(error(complaint))
    return Line(number: number, indentation: indentation, bytes: Array(String(text).utf8))
  }

  /// A Boolean value that indicates whether the line is a conflict marker of version control.
  var isConflictMarker: Bool {
    guard indentation == 0, let first = bytes.first, bytes.count >= 7,
      "<|=>".utf8.contains(first)
    else { return false }
    return bytes.prefix(7).allSatisfy { $0 == first }
      && (bytes.count == 7 || bytes[7] == UInt8(ascii: " "))
  }

  /// A Boolean value that indicates whether the second side of a merge conflict begins after the
  /// line.
  var beginsOtherSide: Bool { isConflictMarker && "|=".utf8.contains(bytes[0]) }
}

extension Unicode.Scalar {
  /// The ASCII character that was probably intended outside of a string, and the error message.
  fileprivate var asMeant: (replacement: Unicode.Scalar, message: String) {
    switch self {
    case "\u{A0}", "\u{202F}", "\u{2007}":
      return (" ", "unexpected no-break space; write a space")
    case _ where properties.isWhitespace || self == "\u{FEFF}" || self == "\u{200B}":
      let code = String(value, radix: 16, uppercase: true)
      return (" ", "unexpected space character U+\(code); write a space")
    case _ where properties.isQuotationMark:
      return ("\"", "'\(self)' cannot begin or end a string; write \"")
    default:
      return ("_", "unexpected '\(self)'; names consist of the letters A to Z, digits and '_'")
    }
  }
}
