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

  package init(kind: Kind, text: String, range: Range<Int>, line: Int, beginsLine: Bool) {
    self.kind = kind
    self.text = text
    self.range = range
    self.line = line
    self.beginsLine = beginsLine
  }
}

extension [SwiftToken] {
  /// The index behind the bracket that closes the one at `index`.
  package func end(ofBracketAt index: Int) -> Int {
    var depth = 0
    for position in index..<count {
      switch self[position].text {
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth -= 1
      default: break
      }
      if depth == 0 { return position + 1 }
    }
    return count
  }

  /// Whether the declaration whose keyword is at `index` has an attribute of this name among those
  /// that stand right before it, modifiers in between.
  package func hasAttribute(_ name: String, before index: Int) -> Bool {
    var position = index - 1
    while position > 0 {
      if self[position - 1].text == "@" {
        if self[position].text == name { return true }
        position -= 2
      } else if SourceRewriter.modifiers.contains(self[position].text) {
        position -= 1
      } else {
        return false
      }
    }
    return false
  }

  /// Whether there is a token at `index`, and nothing between it and the one before it.
  package func isAdjacent(_ index: Int) -> Bool {
    index > 0 && index < count && self[index].range.lowerBound == self[index - 1].range.upperBound
  }
}
