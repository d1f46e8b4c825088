/// Texts converted to the words that a `Digest` takes in, for texts that are fed repeatedly. One
/// array contains all words, so threads that share it count no references.
@usableFromInline package struct PreparedTexts: Sendable {
  /// The words of all texts, one text after another.
  @usableFromInline var words: [UInt64] = []
  /// The start of each text in `words`, followed by the end of the last text.
  @usableFromInline var starts = [0]

  package init(_ texts: [String]) {
    for text in texts {
      var word: UInt64 = 0
      for (index, byte) in text.utf8.enumerated() {
        word = word << 8 | UInt64(byte)
        if index % 8 == 7 {
          words.append(word)
          word = 0
        }
      }
      words += [word, UInt64(text.utf8.count)]
      starts.append(words.count)
    }
  }

  /// Feeds the text with this number, with the same result as feeding the string.
  @inlinable package func feed(_ number: Int, into digest: inout Digest) {
    for place in starts[number]..<starts[number + 1] { digest.feed(words[place]) }
  }
}
