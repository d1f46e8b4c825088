/// A word, sign or literal of a Swift source. Comments and spaces are between tokens.
struct SwiftToken {
  enum Kind {
    case word, number, text, sign
  }

  let kind: Kind
  let text: String
  /// In bytes from the beginning of the source.
  let range: Range<Int>
  /// From 1.
  let line: Int
  /// Whether a line break stands before it.
  let beginsLine: Bool
}
