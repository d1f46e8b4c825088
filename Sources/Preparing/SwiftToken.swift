/// A word, sign or literal of a Swift source. Comments and spaces are between tokens.
package struct SwiftToken {
  package enum Kind {
    case word, number, text, sign
  }

  package let kind: Kind
  package let text: String
  /// In bytes from the beginning of the source.
  package let range: Range<Int>
  /// From 1.
  package let line: Int
  /// Whether a line break stands before it.
  package let beginsLine: Bool
}
