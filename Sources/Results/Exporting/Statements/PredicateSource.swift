import ObjectModel
import Vocabulary

/// Predicates as `NSPredicate(format:)`, with a format and its arguments.
extension TestWriter {
  /// Returns a predicate, or nil if every object matches.
  func predicate(
    _ comparisons: [Comparison], _ tree: PredicateTree?, of entity: EntityID,
    _ step: AddressedStep
  ) throws(Refusal) -> String? {
    if comparisons.isEmpty, tree == nil { return nil }
    var arguments: [String] = []
    var parts: [String] = []
    for comparison in comparisons {
      let right: PredicateTree.Term =
        switch comparison.operand {
        case .object(let held): .object(held)
        case .value(let value): .value(value)
        }
      let left = format(keys: [comparison.property], from: entity, &arguments)
      parts.append(
        "\(left) \(comparison.relation.rawValue) "
          + (try format(right, of: entity, step, &arguments)))
    }
    if let tree {
      if let excess = tree.excess(of: entity, in: model) { throw refusal(step, excess) }
      let conditions: [PredicateTree] = if case .and(let parts) = tree { parts } else { [tree] }
      for condition in conditions {
        parts.append(try format(condition, of: entity, step, &arguments))
      }
    }
    let format = SwiftLiteral.text(parts.joined(separator: " AND "))
    return "NSPredicate(format: \(([format] + arguments).joined(separator: ", ")))"
  }

  private func format(
    _ tree: PredicateTree, of entity: EntityID, _ step: AddressedStep,
    _ arguments: inout [String]
  ) throws(Refusal) -> String {
    switch tree {
    case .constant(let value): return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .and(let parts): return try joined(parts, "AND", of: entity, step, &arguments)
    case .or(let parts): return try joined(parts, "OR", of: entity, step, &arguments)
    case .matches, .isOf:
      throw refusal(step, "MATCHES and tests of an object's entity are not exported yet")
    case .not(let part): return "NOT (\(try format(part, of: entity, step, &arguments)))"
    case .comparison(let left, let relation, let right, let options, let modifier):
      let marks =
        (options.contains(.caseInsensitive) ? "c" : "")
        + (options.contains(.diacriticInsensitive) ? "d" : "")
      let word = modifier.map { "\($0.rawValue) " } ?? ""
      let first = try format(left, of: entity, step, &arguments)
      let second = try format(right, of: entity, step, &arguments)
      return "\(word)\(first) \(relation.rawValue)\(marks.isEmpty ? "" : "[\(marks)]") \(second)"
    }
  }

  private func joined(
    _ parts: [PredicateTree], _ word: String, of entity: EntityID, _ step: AddressedStep,
    _ arguments: inout [String]
  ) throws(Refusal) -> String {
    var formats: [String] = []
    for part in parts { formats.append(try format(part, of: entity, step, &arguments)) }
    return "(\(formats.joined(separator: " \(word) ")))"
  }

  private func format(
    _ term: PredicateTree.Term, of entity: EntityID, _ step: AddressedStep,
    _ arguments: inout [String]
  ) throws(Refusal) -> String {
    switch term {
    case .itself: return "SELF"
    case .countWhere, .computed:
      throw refusal(step, "computed values in a predicate are not exported yet")
    case .path(let path): return format(keys: path, from: entity, &arguments)
    case .count(let path):
      return format(keys: path, from: entity, &arguments) { $0 + ["@count"] }
    case .aggregate(let function, let path):
      return format(keys: path, from: entity, &arguments) { names in
        names.dropLast() + ["@\(function.ofKeyPath)"] + names.suffix(1)
      }
    case .list(let terms):
      var formats: [String] = []
      for term in terms { formats.append(try format(term, of: entity, step, &arguments)) }
      return "{\(formats.joined(separator: ", "))}"
    case .object(let held):
      guard let name = names[held] else { return "nil" }
      arguments.append(name + "!")
      return "%@"
    case .value(let value):
      switch value {
      case .null: return "nil"
      case .integer(let number): return "\(number)"
      case .number(let number): return "\(number)"
      case .boolean(let flag): return flag ? "true" : "false"
      case .string(let symbol):
        arguments.append(SwiftLiteral.text(model.symbols.text(of: symbol)))
        return "%@"
      default: throw refusal(step, "a value of this type in a predicate is not exported yet")
      }
    }
  }

  /// Returns a key path. The key path becomes an argument if one of its keys is a reserved word.
  private func format(
    keys path: [PropertyID], from entity: EntityID, _ arguments: inout [String],
    with function: ([String]) -> [String] = { $0 }
  ) -> String {
    let names = model.names(of: path, from: entity)
    let text = function(names).joined(separator: ".")
    guard names.contains(where: { PredicateFormat.words.contains($0.uppercased()) }) else {
      return text
    }
    arguments.append("\"\(text)\"")
    return "%K"
  }
}

private enum PredicateFormat {
  /// The words that `NSPredicate` reserves.
  static let words = [
    "AND", "OR", "IN", "NOT", "ALL", "ANY", "SOME", "NONE", "LIKE", "CASEINSENSITIVE", "CI",
    "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH", "BETWEEN", "NULL", "NIL", "SELF", "TRUE",
    "YES", "FALSE", "NO", "FIRST", "LAST", "SIZE", "ANYKEY", "SUBQUERY", "CAST", "FETCH",
    "FUNCTION", "TRUEPREDICATE", "FALSEPREDICATE",
  ]
}
