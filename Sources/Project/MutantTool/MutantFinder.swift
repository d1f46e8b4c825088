import Preparing

/// Finds the possible changes of a source, token by token.
///
/// A change must preserve the types, because all mutants of a module are compiled together. Each
/// changed operator becomes a custom operator, declared in `MutantSupport`, that checks the number
/// of the active mutant. Conditions become arguments, and statements become bodies of an `if`. All
/// tokens keep their lines, so that compiler messages lead to mutants.
package struct MutantFinder {
  let path: String
  let source: [UInt8]
  /// The tokens of the source. Here, the signs of one operator are joined into one token.
  let tokens: [SwiftToken]
  private(set) var mutants: [Mutant] = []
  private(set) var nextNumber: Int
  /// The tokens of assertions and of generic `where` clauses, which are not changed.
  private var excluded: Set<Int> = []

  /// Returns the mutants of a source, numbered from `first` on.
  package static func mutants(of source: String, path: String, first: Int) -> [Mutant] {
    var finder = MutantFinder(source, path, first)
    finder.run()
    return finder.mutants
  }

  private init(_ source: String, _ path: String, _ first: Int) {
    self.path = path
    self.source = Array(source.utf8)
    tokens = MutantFinder.joined(SwiftLexer.tokens(of: source))
    nextNumber = first
  }

  private static let operators: Set<String> = [
    "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "??", "===", "!==", "&+", "&-", "<<",
    ">>", "|=", "&=", "^=", "&<<", "&>>",
  ]

  private static func joined(_ tokens: [SwiftToken]) -> [SwiftToken] {
    var joined: [SwiftToken] = []
    for token in tokens {
      if let last = joined.last, last.kind == .sign, token.kind == .sign,
        last.range.upperBound == token.range.lowerBound,
        operators.contains(last.text + token.text)
      {
        joined[joined.count - 1] = SwiftToken(
          kind: .sign, text: last.text + token.text,
          range: last.range.lowerBound..<token.range.upperBound, line: last.line,
          beginsLine: last.beginsLine)
      } else {
        joined.append(token)
      }
    }
    return joined
  }

  func text(_ index: Int) -> String { tokens.indices.contains(index) ? tokens[index].text : "" }

  private mutating func run() {
    for index in tokens.indices { exclude(at: index) }
    for index in tokens.indices where !excluded.contains(index) {
      changeOperator(at: index)
      changeWord(at: index)
      removeStatement(at: index)
    }
  }

  /// Returns the index after the bracket that closes the bracket at `index`.
  func end(ofBracketAt index: Int) -> Int { tokens.end(ofBracketAt: index) }

  func isAdjacent(_ index: Int) -> Bool { tokens.isAdjacent(index) }

  private mutating func exclude(at index: Int) {
    switch text(index) {
    case "assert", "precondition", "assertionFailure", "preconditionFailure", "fatalError":
      if text(index + 1) == "(" { excluded.formUnion(index..<end(ofBracketAt: index + 1)) }
    case "where":
      guard text(index + 1).first?.isUppercase == true else { return }
      let end = tokens[index...].firstIndex { $0.text == "{" } ?? tokens.count
      excluded.formUnion(index..<end)
    default: break
    }
  }

  // MARK: Mutants

  mutating func add(
    _ change: String, at index: Int, _ edits: [(Range<Int>, String, Int)]
  ) {
    let edits = edits.map { Mutant.Edit(range: $0.0, text: $0.1, line: $0.2) }
    mutants.append(
      Mutant(
        number: nextNumber, path: path, line: tokens[index].line, change: change, edits: edits))
    nextNumber += 1
  }

  func replacement(of index: Int, by text: String) -> (Range<Int>, String, Int) {
    (tokens[index].range, text, tokens[index].line)
  }

  func insertion(of text: String, before index: Int) -> (Range<Int>, String, Int) {
    let start = tokens[index].range.lowerBound
    return (start..<start, text, tokens[index].line)
  }

  func insertion(of text: String, after index: Int) -> (Range<Int>, String, Int) {
    let end = tokens[index].range.upperBound
    return (end..<end, text, tokens[index].line)
  }

  private mutating func changeOperator(at index: Int) {
    let sign = text(index)
    guard tokens[index].kind == .sign, let other = MutantSupport.opposite(of: sign),
      text(index - 1) != "func"
    else { return }
    let isRange = sign == "..<" || sign == "..."
    let isBinary =
      isRange
      ? isAdjacent(index) && isAdjacent(index + 1)
      : !isAdjacent(index) && !isAdjacent(index + 1)
    guard isBinary, !(isRange && "([{,".contains(text(index - 1))),
      !(isRange && ")]},".contains(text(index + 1)))
    else { return }
    add(
      "\(sign) → \(other)", at: index,
      [replacement(of: index, by: MutantSupport.sign(sign, of: nextNumber))])
  }

  private mutating func changeWord(at index: Int) {
    let word = text(index)
    switch word {
    case "if", "while", "guard", "where": negateConditions(at: index)
    case "continue", "break":
      guard index + 1 == tokens.count || tokens[index + 1].beginsLine || text(index + 1) == "}"
      else { return }
      let other = word == "break" ? "continue" : "break"
      add(
        "\(word) → \(other)", at: index,
        [
          replacement(
            of: index, by: "if activeMutant == \(nextNumber) { \(other) } else { \(word) }")
        ])
    case "true", "false":
      guard text(index - 1) == "return", tokens[index + 1].beginsLine || text(index + 1) == "}"
      else { return }
      add(
        "return \(word) → return \(word == "true" ? "false" : "true")", at: index,
        [replacement(of: index, by: "mutated(\(nextNumber), \(word))")])
    case "first", "last", "firstIndex", "lastIndex":
      guard text(index - 1) == "." else { return }
      let other =
        word.hasPrefix("first") ? "last" + word.dropFirst(5) : "first" + word.dropFirst(4)
      if text(index + 1) == "(", isAdjacent(index + 1) {
        add(
          "\(word) → \(other)", at: index,
          [insertion(of: "mutant: \(nextNumber), ", after: index + 1)])
      } else {
        add(
          "\(word) → \(other)", at: index,
          [replacement(of: index, by: "\(word)(mutant: \(nextNumber))")])
      }
    case "min", "max":
      guard text(index + 1) == "(", isAdjacent(index + 1), text(index - 1) != "func" else { return }
      let separator = text(index + 2) == ")" ? "" : ", "
      add(
        "\(word) → \(word == "min" ? "max" : "min")", at: index,
        [insertion(of: "mutant: \(nextNumber)\(separator)", after: index + 1)])
    default: break
    }
  }

  /// Negates each condition of a list, except for bindings and patterns.
  private mutating func negateConditions(at index: Int) {
    let word = text(index)
    // Skip the `while` of a `repeat` loop.
    if word == "while", text(index - 1) == "}", !tokens[index].beginsLine { return }
    var start = index + 1
    var position = start
    while position < tokens.count {
      let text = text(position)
      let isEnd =
        text == "{" || text == "}" || (word == "guard" && text == "else")
        || (word == "where" && text == ":")
      if isEnd || text == "," {
        negate(start..<position, of: word)
        start = position + 1
        if isEnd { return }
      }
      position = "([".contains(text) ? end(ofBracketAt: position) : position + 1
    }
  }

  private mutating func negate(_ condition: Range<Int>, of word: String) {
    guard let first = condition.first, let last = condition.last,
      !["let", "var", "case"].contains(text(first)), !text(first).hasPrefix("#")
    else { return }
    add(
      "\(word) negated", at: first,
      [insertion(of: "mutated(\(nextNumber), ", before: first), insertion(of: ")", after: last)])
  }
}
