import ObjectModel
import Prose
import Vocabulary

/// Predicates in the words of `NSPredicate`, in small letters or capitals. For example:
/// `title BEGINSWITH[cd] "a" and (ANY notes.stars > 3 or not (folder == f))`.
///
/// A bare name is a property on the left of a comparison and an object on the right, where a key
/// path begins with `SELF`. A literal on the left has the type of the path on the right.
extension Scope {
  mutating func predicate(
    _ line: inout LineReader, _ entity: EntityID, _ lane: ContextID
  ) throws(TextError) -> PredicateTree {
    var parts = [try conjunction(&line, entity, lane)]
    while line.takes(word: "or") || line.takes("||") {
      parts.append(try conjunction(&line, entity, lane))
    }
    return parts.count == 1 ? parts[0] : .or(parts)
  }

  private mutating func conjunction(
    _ line: inout LineReader, _ entity: EntityID, _ lane: ContextID
  ) throws(TextError) -> PredicateTree {
    var parts: [PredicateTree] = []
    repeat {
      parts.append(try condition(&line, entity, lane))
    } while line.takes(word: "and") || line.takes("&&")
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  private mutating func condition(
    _ line: inout LineReader, _ entity: EntityID, _ lane: ContextID
  ) throws(TextError) -> PredicateTree {
    if line.isOperator("not"), line.takes(word: "not") {
      return .not(try condition(&line, entity, lane))
    }
    if line.takes("!") { throw line.error("no '!' in a predicate; write not") }
    if line.takes(word: "truepredicate") { return .constant(true) }
    if line.takes(word: "falsepredicate") { return .constant(false) }
    guard line.takes("(") else { return try comparison(&line, entity, lane) }
    let inner = try predicate(&line, entity, lane)
    try line.expect(")")
    return inner
  }

  private mutating func comparison(
    _ line: inout LineReader, _ entity: EntityID, _ lane: ContextID
  ) throws(TextError) -> PredicateTree {
    var modifier = PredicateTree.Modifier?.none
    for word in PredicateTree.Modifier.allCases where line.isOperator(word.rawValue) {
      _ = line.takes(word: word.rawValue)
      modifier = word
    }
    for (word, hint) in ForeignWords.first where line.isOperator(word) { throw line.error(hint) }
    var literal = line
    let isLiteral = line.skipLiteral()
    let left = isLiteral ? nil : try keyPath(&line, entity)
    let (relation, options) = try relation(&line)
    if let left {
      try check(modifier, relation, options, on: left, line)
      let right = try operand(&line, of: relation, left.member, entity, lane)
      return .comparison(left.term, relation, right, options, modifier)
    }
    if let modifier {
      throw line.error("\(modifier.rawValue) must precede a key path over a to-many relationship")
    }
    let right = try keyPath(&line, entity)
    guard relation == .isIn || !right.isMany else { throw needsOneValue(right, line) }
    guard relation != .between else {
      throw line.error("BETWEEN needs a list of two values on its right")
    }
    guard relation != .isIn || right.isMany else {
      throw line.error("IN needs a list or a to-many relationship on its right")
    }
    try checkKind(relation, options, right.member, line)
    let value = try self.literal(&literal, of: right.member, lane)
    return .comparison(value, relation, right.term, options, nil)
  }

  private func relation(
    _ line: inout LineReader
  ) throws(TextError) -> (PredicateTree.Relation, PredicateTree.Options) {
    let word = try line.word("a relation")
    let parts = word.split(separator: "[", maxSplits: 1)
    guard
      let relation = parts.first.flatMap({ word in
        PredicateTree.Relation(rawValue: word.uppercased())
      })
    else {
      if word.uppercased() == "MATCHES" {
        throw line.error(
          "MATCHES is available only in code, because no fact describes it for stores; use LIKE with * and ?"
        )
      }
      if let other = ["=": "==", "<>": "!=", "=>": ">=", "=<": "<="][word] {
        throw line.error("no relation '\(word)'; write \(other)")
      }
      throw line.error(
        unknown(
          "no relation", word, "the relations are",
          PredicateTree.Relation.allCases.map(\.rawValue)))
    }
    guard word.contains("[") else {
      if line.takes("[") {
        throw line.error("options follow a relation directly: write \(word)[cd], without a space")
      }
      return (relation, [])
    }
    let marks: PredicateTree.Options? =
      switch parts.count > 1 ? parts[1] : "" {
      case "c": .caseInsensitive
      case "d": .diacriticInsensitive
      case "cd", "dc": [.caseInsensitive, .diacriticInsensitive]
      default: nil
      }
    guard let marks, line.takesDirectly("]") else {
      throw line.error("'\(shortened(word))' has unknown options; write [c], [d] or [cd]")
    }
    return (relation, marks)
  }

  // MARK: Operands

  private mutating func operand(
    _ line: inout LineReader, of relation: PredicateTree.Relation, _ member: PathEnd.Member,
    _ entity: EntityID, _ lane: ContextID
  ) throws(TextError) -> PredicateTree.Term {
    guard relation == .isIn || relation == .between else {
      return try operand(&line, member, entity, lane)
    }
    if relation == .isIn, line.nextIsSelf {
      let path = try keyPath(&line, entity)
      guard path.isMany else {
        throw line.error("IN needs a list or a to-many relationship on its right")
      }
      return path.term
    }
    if line.takes("(") { throw line.error("write a list of values in braces: {1, 5}") }
    try line.expect("{")
    var terms: [PredicateTree.Term] = []
    if !line.takes("}") {
      repeat { terms.append(try operand(&line, member, entity, lane)) } while line.takes(",")
      try line.expect("}")
    }
    if relation == .between, terms.count != 2 {
      throw line.error("BETWEEN needs two values, the smallest and the largest: {1, 5}")
    }
    return .list(terms)
  }

  private mutating func operand(
    _ line: inout LineReader, _ member: PathEnd.Member, _ entity: EntityID, _ lane: ContextID
  ) throws(TextError) -> PredicateTree.Term {
    guard line.nextIsSelf else { return try literal(&line, of: member, lane) }
    let path = try keyPath(&line, entity)
    if path.isMany { throw needsOneValue(path, line) }
    if (path.member == .object) != (member == .object) {
      throw line.error(
        "'\(path.name)' cannot be compared here: one side is an object, the other a value")
    }
    return path.term
  }

  private mutating func literal(
    _ line: inout LineReader, of member: PathEnd.Member, _ lane: ContextID
  ) throws(TextError) -> PredicateTree.Term {
    if line.takes(word: "null") { throw line.error("no 'NULL' in a predicate; write nil") }
    switch member {
    case .attribute(let type): return .value(try line.literal(type, &model.symbols))
    case .count: return .value(try line.literal(.integer64, &model.symbols))
    case .object:
      if line.isOperator("object") {
        _ = line.takes(word: "object")
      } else if line.takes(keyword: "nil") {
        return .value(.null)
      }
      return .object(try reference(&line, lane: lane).reference)
    }
  }

  // MARK: What does not go together

  private func check(
    _ modifier: PredicateTree.Modifier?, _ relation: PredicateTree.Relation,
    _ options: PredicateTree.Options, on left: PathEnd, _ line: LineReader
  ) throws(TextError) {
    if let modifier, !left.isMany {
      throw line.error(
        "'\(left.name)' is one value; \(modifier.rawValue) is for to-many relationships")
    }
    if modifier == nil, left.isMany, relation != .contains { throw needsOneValue(left, line) }
    if modifier == nil, left.isMany { return }
    try checkKind(relation, options, left.member, line)
  }

  private func checkKind(
    _ relation: PredicateTree.Relation, _ options: PredicateTree.Options,
    _ member: PathEnd.Member, _ line: LineReader
  ) throws(TextError) {
    switch relation {
    case .beginsWith, .endsWith, .contains, .like:
      if member != .attribute(.string) {
        throw line.error("\(relation.rawValue) compares strings, and this value is not a string")
      }
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .between:
      if member == .object { throw line.error("objects can be compared with == and != only") }
    case .equal, .notEqual, .isIn: break
    }
    if !options.isEmpty, member != .attribute(.string) {
      throw line.error("[c] and [d] apply to strings, and this value is not a string")
    }
  }

  private func needsOneValue(_ path: PathEnd, _ line: LineReader) -> TextError {
    line.error(
      "to-many: '\(path.name)' has many values here; write ANY, ALL or NONE before the key path on "
        + "the left, or end it with .@count")
  }
}

/// Words of `NSPredicate` that scenarios spell differently or do not simulate.
private enum ForeignWords {
  /// Words at the beginning of a comparison.
  static let first = [
    ("SOME", "no 'SOME' in a predicate; write ANY"),
    ("SUBQUERY", "SUBQUERY is available only in code; write ANY, ALL or NONE before a key path"),
  ]
}

extension LineReader {
  /// Takes the word, in small letters or capitals, if it is next.
  mutating func takes(word: String) -> Bool {
    var copy = self
    guard copy.identifier()?.uppercased() == word.uppercased() else { return false }
    self = copy
    return true
  }

  /// Returns a Boolean value that indicates whether the word is next and is an operator. A word
  /// that a relation follows is a property instead.
  fileprivate func isOperator(_ word: String) -> Bool {
    var copy = self
    guard copy.takes(word: word) else { return false }
    if copy.takesDirectly(".") { return false }
    return copy.takes("(") || copy.takes("#") || copy.identifier() != nil || copy.skipLiteral()
  }

  fileprivate var nextIsSelf: Bool {
    var copy = self
    return copy.takes(word: "self")
  }

  /// Skips a literal, or an object, on the left of a comparison. Returns false if something else is
  /// next.
  fileprivate mutating func skipLiteral() -> Bool {
    let next = nextWord
    guard let first = next.utf8.first else { return false }
    var copy = self
    switch first {
    case UInt8(ascii: "\""): guard copy.skipsText("\"", until: "\"") else { return false }
    case UInt8(ascii: "<"): guard copy.skipsText("<", until: ">") else { return false }
    case UInt8(ascii: "-"), UInt8(ascii: "@"),
      _ where isDigit(first):
      _ = copy.word()
    default:
      if copy.takes(word: "object"), let name = copy.identifier() {
        if copy.takesDirectly(".") { _ = copy.identifier() }
        // A property called `object`, followed by a relation in letters.
        if PredicateTree.Relation(rawValue: name.uppercased()) != nil { return false }
      } else if ["nil", "true", "false"].contains(next) || isUUID(next) {
        copy = self
        _ = copy.word()
      } else {
        return false
      }
    }
    self = copy
    return true
  }

  private mutating func skipsText(_ start: String, until end: Unicode.Scalar) -> Bool {
    takes(start) && (try? escapedText(until: end)) != nil
  }
}

private func isUUID(_ word: String) -> Bool {
  word.utf8.count == 36 && word.utf8.count { $0 == UInt8(ascii: "-") } == 4
}
