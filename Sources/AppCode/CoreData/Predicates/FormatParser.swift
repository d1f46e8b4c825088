import Foundation

/// Parses a predicate format string. Traps with a message about any part that is not simulated.
struct FormatParser {
  private let format: String
  private var words: ArraySlice<String>
  private var arguments: ArraySlice<Any>

  static func parse(_ format: String, _ arguments: [Any]) -> PredicateFormat {
    var parser = FormatParser(
      format: format, words: FormatWords.of(format)[...], arguments: arguments[...])
    let result = parser.disjunction()
    if let word = parser.words.first { parser.fail("'\(word)' is not expected") }
    return result
  }

  /// Parses one side of a comparison.
  static func side(_ format: String, _ arguments: [Any]) -> PredicateFormat.Operand {
    var parser = FormatParser(
      format: format, words: FormatWords.of(format)[...], arguments: arguments[...])
    let result = parser.side()
    if let word = parser.words.first { parser.fail("'\(word)' is not expected") }
    return result
  }

  /// Parses a key path.
  static func path(_ text: String) -> PredicateFormat.Operand {
    FormatParser(format: text, words: [], arguments: []).path(text)
  }

  private func fail(_ reason: String) -> Never {
    misuse("the predicate format \"\(format)\" cannot be parsed: \(reason)")
  }

  private func isNext(_ names: String...) -> Bool {
    words.first.map { names.contains($0.uppercased()) } ?? false
  }

  private mutating func takes(_ names: String...) -> Bool {
    guard let word = words.first, names.contains(word.uppercased()) else { return false }
    words.removeFirst()
    return true
  }

  // MARK: Predicates

  private mutating func disjunction() -> PredicateFormat {
    var parts = [conjunction()]
    while takes("OR", "||") { parts.append(conjunction()) }
    return parts.count == 1 ? parts[0] : .or(parts)
  }

  private mutating func conjunction() -> PredicateFormat {
    var parts = [negation()]
    while takes("AND", "&&") { parts.append(negation()) }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  private mutating func negation() -> PredicateFormat {
    if takes("NOT", "!") { return .not(negation()) }
    if takes("TRUEPREDICATE") { return .constant(true) }
    if takes("FALSEPREDICATE") { return .constant(false) }
    guard isNext("("), !opensSide else { return comparison() }
    words.removeFirst()
    let inner = disjunction()
    guard takes(")") else { fail("a parenthesis is not closed") }
    return inner
  }

  /// A Boolean value that indicates whether the next parenthesis encloses arithmetic. An operator
  /// or a relation follows the closing parenthesis.
  private var opensSide: Bool {
    var depth = 0
    guard
      let end = words.firstIndex(where: { word in
        depth += word == "(" ? 1 : word == ")" ? -1 : 0
        return depth == 0
      })
    else { return false }
    let next = words[(end + 1)...].first?.uppercased() ?? ""
    return ["+", "-", "*", "/"].contains(next) || FormatParser.relations[next] != nil
  }

  private mutating func comparison() -> PredicateFormat {
    let modifier: PredicateFormat.Modifier? =
      if takes("ANY", "SOME") { .any } else if takes("ALL") { .all } else if takes("NONE") {
        PredicateFormat.Modifier.none
      } else { nil }
    let left = side()
    var isNegated = false
    if takes("NOT") { isNegated = true }
    guard let word = words.popFirst(), let relation = FormatParser.relations[word.uppercased()]
    else { fail("a comparison is expected after '\(left.text)'") }
    let options = options()
    let right = side()
    let result = PredicateFormat.comparison(left, relation, right, options, modifier)
    return isNegated ? .not(result) : result
  }

  private static let relations: [String: PredicateFormat.Relation] = [
    "==": .equal, "=": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual,
    "=<": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
    "BEGINSWITH": .beginsWith, "ENDSWITH": .endsWith, "CONTAINS": .contains, "LIKE": .like,
    "MATCHES": .matches,
    "IN": .isIn, "BETWEEN": .between,
  ]

  private mutating func options() -> PredicateFormat.Options {
    var options = PredicateFormat.Options()
    guard let word = words.first, word.hasPrefix("["), word.hasSuffix("]") else { return options }
    words.removeFirst()
    for letter in word.dropFirst().dropLast() {
      switch letter {
      case "c": options.ignoresCase = true
      case "d": options.ignoresDiacritics = true
      // The options for normalized and locale-aware comparison have no effect.
      case "n", "l", " ", ",": break
      default: fail("'\(letter)' in '\(word)' is not simulated")
      }
    }
    return options
  }

  // MARK: Sides

  private mutating func side() -> PredicateFormat.Operand {
    var result = product()
    while let sign = words.first, sign == "+" || sign == "-" {
      words.removeFirst()
      result = .function(sign == "+" ? "add:to:" : "from:subtract:", [result, product()])
    }
    return result
  }

  private mutating func product() -> PredicateFormat.Operand {
    var result = operand()
    while let sign = words.first, sign == "*" || sign == "/" {
      words.removeFirst()
      result = .function(sign == "*" ? "multiply:by:" : "divide:by:", [result, operand()])
    }
    return result
  }

  /// Parses an operand and any subscripts after it, such as `lines[FIRST].count`.
  private mutating func operand() -> PredicateFormat.Operand {
    var side = bareOperand()
    while let word = words.first, word.hasPrefix("["), let place = place(word) {
      words.removeFirst()
      var keys: [String] = []
      if case .size = place {
      } else if let path = words.first, path.hasPrefix(".") {
        words.removeFirst()
        keys = path.split(separator: ".").map(String.init)
        if keys.contains(where: { $0.hasPrefix("@") }) {
          fail("'\(path)' after '\(word)' is not simulated")
        }
      }
      side = .member(side, place, keys)
    }
    return side
  }

  private func place(_ word: String) -> PredicateFormat.Place? {
    switch word.dropFirst().dropLast().uppercased() {
    case "FIRST": .first
    case "LAST": .last
    case "SIZE": .size
    case let number: Int(number).map { .index($0) }
    }
  }

  private mutating func bareOperand() -> PredicateFormat.Operand {
    guard var word = words.popFirst() else { fail("the format ends too early") }
    if word != "%K", !word.hasPrefix("\""), !word.hasPrefix("'") {
      // A key path with an argument, such as `tags.%K` or `$tag.%K`.
      while let key = word.range(of: "%K") {
        word.replaceSubrange(key, with: argument() as? String ?? "")
      }
    }
    switch word {
    case "{": return .list(list(until: "}"))
    case "(":
      let inner = side()
      guard takes(")") else { fail("a parenthesis is not closed") }
      return inner
    case "-":
      switch operand() {
      case .value(let number as Int): return .value(-number)
      case .value(let number as Double): return .value(-number)
      default: break
      }
      fail("a sign must be followed by a number")
    case "%K": return path(argument() as? String ?? "")
    case _ where word.hasPrefix("%"): return FormatParser.value(argument())
    case _ where word.hasPrefix("\"") || word.hasPrefix("'"):
      return .value(String(word.dropFirst().dropLast()))
    case _ where word.hasPrefix("$"):
      let keys = word.dropFirst().split(separator: ".").map(String.init)
      return .variable(keys.first ?? "", Array(keys.dropFirst()))
    default: break
    }
    switch word.uppercased() {
    case "NIL", "NULL": return .value(nil)
    case "YES", "TRUE": return .value(true)
    case "NO", "FALSE": return .value(false)
    case "SUBQUERY": return subquery()
    case PredicateFormat.call, PredicateFormat.fetch:
      guard takes("(") else { fail("a parenthesis is expected after '\(word)'") }
      return .function(word.uppercased(), list(until: ")"))
    case "CAST": fail("'\(word)' is not simulated")
    default: break
    }
    if let number = Int(word) { return .value(number) }
    if let number = Double(word) { return .value(number) }
    if takes("(") {
      let name = word.hasSuffix(":") || word == "now" ? word : word + ":"
      return .function(name, list(until: ")"))
    }
    return path(word)
  }

  private mutating func list(until end: String) -> [PredicateFormat.Operand] {
    var sides: [PredicateFormat.Operand] = []
    while !takes(end) {
      sides.append(side())
      _ = takes(",")
      if words.isEmpty { fail("a bracket is not closed") }
    }
    return sides
  }

  /// Parses the arguments of a subquery, such as
  /// `SUBQUERY(tags, $tag, $tag.label == "red").@count`.
  private mutating func subquery() -> PredicateFormat.Operand {
    guard takes("("), case .path(let path) = side(), takes(","),
      case .variable(let variable, let keys) = operand(), keys.isEmpty, takes(",")
    else { fail("a SUBQUERY requires a key path, a variable and a condition") }
    let condition = disjunction()
    guard takes(")") else { fail("a parenthesis is not closed") }
    if takes(".@COUNT") { return .subquery(path, variable, condition) }
    if let word = words.first, word.hasPrefix(".") {
      fail("'\(word)' after a SUBQUERY is not simulated: only .@count is")
    }
    return .members(path, variable, condition)
  }

  private mutating func argument() -> Any {
    guard let argument = arguments.popFirst() else { fail("an argument is missing") }
    return argument
  }

  static func value(_ any: Any) -> PredicateFormat.Operand {
    switch ManagedValue.plain(any) {
    case nil, is NSNull: .value(nil)
    case let expression as SimulatedNSExpression: expression.side
    case let list as [Any]: .list(list.map { value($0) })
    case let set as NSSet: .list(inOrder(set.allObjects).map { value($0) })
    case let set as NSOrderedSet: .list(set.array.map { value($0) })
    case let set as Set<AnyHashable>: .list(inOrder(Array(set)).map { value($0) })
    case let other?: .value(other)
    }
  }

  /// Sorts the members of a set, so that results do not depend on the order of the set.
  private static func inOrder(_ any: [Any]) -> [Any] {
    let keyed = any.map { item -> (String, Any) in
      let base = (item as? AnyHashable)?.base ?? item
      if let object = base as? NSManagedObject { return ("\(object.hash)", base) }
      return ("\(base)", base)
    }
    return keyed.sorted { $0.0 < $1.0 }.map(\.1)
  }

  private func path(_ text: String) -> PredicateFormat.Operand {
    var keys = text.split(separator: ".").map {
      $0.hasPrefix("#") ? String($0.dropFirst()) : String($0)
    }
    if keys.first?.uppercased() == "SELF" { keys.removeFirst() }
    if keys.last == "@count" { return .count(keys.dropLast()) }
    guard let place = keys.firstIndex(where: { $0.hasPrefix("@") }) else { return .path(keys) }
    let name = String(keys[place].dropFirst())
    // `lines.price.@min` is equivalent to `lines.@min.price`.
    let hasAttribute = place + 1 < keys.count || place > 1
    guard ["sum", "min", "max", "avg"].contains(name), hasAttribute else {
      fail("'\(keys[place])' is not simulated")
    }
    guard place > 0 || keys.count == 2 else {
      fail(
        "'\(keys[place])' before '\(keys[1]).…' is not simulated; an operator must follow a relationship"
      )
    }
    keys.remove(at: place)
    return .aggregate(name, keys)
  }
}

/// Splits a predicate format into words: names, operators and quoted strings. Operators need no
/// surrounding spaces.
enum FormatWords {
  static func of(_ format: String) -> [String] {
    var words: [String] = []
    var rest = Array(format)[...]
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
      } else if first == "\"" || first == "'" {
        words.append(take(&rest, quote: first))
      } else if first == "[" {
        let end = rest.firstIndex(of: "]") ?? rest.endIndex - 1
        words.append(String(rest[...end]))
        rest = rest[(end + 1)...]
      } else if "(){},+-*/".contains(first) {
        words.append(String(rest.removeFirst()))
      } else {
        let isSign = isSign(first)
        let word = rest.prefix {
          !$0.isWhitespace && !"(){},\"'[+-*/".contains($0) && self.isSign($0) == isSign
        }
        words.append(String(word))
        rest = rest.dropFirst(word.count)
      }
    }
    return words
  }

  private static func isSign(_ character: Character) -> Bool { "=!<>&|".contains(character) }

  private static func take(_ rest: inout ArraySlice<Character>, quote: Character) -> String {
    var text = String(rest.removeFirst())
    while let next = rest.popFirst() {
      if next == "\\", let escaped = rest.popFirst() {
        text.append(escaped)
        continue
      }
      text.append(next)
      if next == quote { break }
    }
    return text
  }
}
