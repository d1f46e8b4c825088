/// A word, sign or literal of a Swift source. Comments and spaces are not tokens.
package struct SwiftToken {
  package enum Kind {
    case word, number, text, sign
  }

  package let kind: Kind
  package let text: String
  /// The range in bytes from the beginning of the source.
  package let range: Range<Int>
  /// The line, from 1.
  package let line: Int
  /// A Boolean value that indicates whether a line break precedes the token.
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
  /// Returns the index after the bracket that closes the bracket at `index`.
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

  /// Returns the names of the attributes and modifiers right before the keyword at `index`, without
  /// their arguments.
  package func words(before index: Int) -> (attributes: Set<String>, modifiers: Set<String>) {
    var (attributes, modifiers): (Set<String>, Set<String>) = ([], [])
    var position = index - 1
    while position >= 0 {
      // An attribute or modifier with arguments, such as `@available(iOS 17, *)` or `private(set)`.
      if self[position].text == ")" {
        position = start(ofBracketAt: position) - 1
        guard position >= 0 else { break }
      }
      let word = self[position].text
      if position > 0, self[position - 1].text == "@" {
        attributes.insert(word)
        position -= 2
      } else if SourceRewriter.modifiers.contains(word),
        position == 0 || self[position - 1].text != "."
      {
        modifiers.insert(word)
        position -= 1
      } else {
        break
      }
    }
    return (attributes, modifiers)
  }

  /// Returns the index of the bracket that the bracket at `index` closes, or 0 without one.
  private func start(ofBracketAt index: Int) -> Int {
    var depth = 0
    for position in (0...index).reversed() {
      switch self[position].text {
      case ")", "]", "}": depth += 1
      case "(", "[", "{": depth -= 1
      default: break
      }
      if depth == 0 { return position }
    }
    return 0
  }

  /// Returns a Boolean value that indicates whether a token exists at `index` and directly follows
  /// the token before it.
  package func isAdjacent(_ index: Int) -> Bool {
    index > 0 && index < count && self[index].range.lowerBound == self[index - 1].range.upperBound
  }
}
