/// Texts as a `Digest` takes them in, for those that are fed over and over. All are in one place:
/// threads that share them have nothing to count.
@usableFromInline package struct PreparedTexts: Sendable {
  /// What the digest is fed, text by text.
  @usableFromInline var words: [UInt64] = []
  /// By text: where its words begin; at last, where they end.
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

  /// The same as to feed the text with this number itself.
  @inlinable package func feed(_ number: Int, into digest: inout Digest) {
    for place in starts[number]..<starts[number + 1] { digest.feed(words[place]) }
  }
}
