/// Records the places of blocks. A method of an app-defined protocol has no parameter for the place
/// of its caller, so a statement before the call records it. `storage.perform { … }` becomes
/// `simulatedPlace(); storage.perform { … }`.
extension SourceRewriter {
  /// Tokens that can precede a statement that begins a line: the end of another statement, or a
  /// brace.
  private static let closers: Set<String> = ["{", "}", ")", "]", ";", ">", "?", "!", "in"]

  /// Words after which an expression continues on the next line.
  private static let openers: Set<String> = [
    "return", "await", "try", "throw", "case", "where", "as", "is", "else", "default",
  ]

  /// Records the place of a block that is passed to a method `perform`. The call must be a
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

  /// Returns the first token of a chain of members, such as `self.storage?`, that ends at `index`.
  /// Returns `nil` for any other expression, such as a call.
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
