/// The places of blocks. A method of an app's protocol has no parameter for the place of its
/// caller, so a statement before the call says it: `storage.perform { … }` becomes
/// `simulatedPlace(); storage.perform { … }`.
extension SourceRewriter {
  /// Tokens that may come before a statement that begins a line: the end of another, or a brace.
  private static let closers: Set<String> = ["{", "}", ")", "]", ";", ">", "?", "!", "in"]

  /// Words after which a line goes on with an expression.
  private static let openers: Set<String> = [
    "return", "await", "try", "throw", "case", "where", "as", "is", "else", "default",
  ]

  /// Notes the place of a block that the call of a method `perform` hands over, if the call is a
  /// statement that begins a line.
  mutating func notePlace(ofCallAt index: Int) {
    guard text(index - 1) == ".", text(index + 1) == "{", let start = start(ofChainAt: index - 2),
      tokens[start].beginsLine, start == 0 || endsStatement(at: start - 1)
    else { return }
    insert("simulatedPlace(); ", before: start)
  }

  private func endsStatement(at index: Int) -> Bool {
    switch tokens[index].kind {
    case .word: !SourceRewriter.openers.contains(text(index))
    case .text, .number: true
    default: SourceRewriter.closers.contains(text(index))
    }
  }

  /// The first token of a chain of members, such as `self.storage?`, that ends at `index`; nil for
  /// anything else, as the value of a call.
  private func start(ofChainAt index: Int) -> Int? {
    var position = index
    while tokens.indices.contains(position) {
      if ["?", "!"].contains(text(position)) { position -= 1 }
      guard tokens.indices.contains(position), tokens[position].kind == .word else { return nil }
      guard text(position - 1) == "." else { return position }
      position -= 2
    }
    return nil
  }
}
