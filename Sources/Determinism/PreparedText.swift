/// A text as a `Digest` takes it in, for one that is fed over and over.
package struct PreparedText: Sendable {
  fileprivate let words: [UInt64]

  package init(_ text: String) {
    var words: [UInt64] = []
    var word: UInt64 = 0
    for (index, byte) in text.utf8.enumerated() {
      word = word << 8 | UInt64(byte)
      if index % 8 == 7 {
        words.append(word)
        word = 0
      }
    }
    self.words = words + [word, UInt64(text.utf8.count)]
  }
}

extension Digest {
  /// The same as to feed the text itself.
  package mutating func feed(_ text: PreparedText) {
    for word in text.words { feed(word) }
  }
}
