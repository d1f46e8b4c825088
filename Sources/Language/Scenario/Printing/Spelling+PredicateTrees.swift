import ObjectModel
import Vocabulary

/// Prints predicate trees in the words of `NSPredicate`, as `Scope+PredicateTrees` parses them.
extension Spelling {
  /// Returns the words of a tree, which follow the comparisons of the request, if any.
  func words(
    _ tree: PredicateTree?, of entity: EntityID, isFirst: Bool, _ lane: ContextID
  ) -> [String] {
    guard let tree else { return [] }
    let parts: [PredicateTree] = if case .and(let parts) = tree { parts } else { [tree] }
    let isOnly = isFirst && parts.count == 1
    let texts = parts.map { part in
      let text = self.text(part, of: entity, lane)
      if case .or = part, isOnly { return String(text.dropFirst().dropLast()) }
      return text
    }
    return [isFirst ? "where" : "and", texts.joined(separator: " and ")]
  }

  private func text(_ tree: PredicateTree, of entity: EntityID, _ lane: ContextID) -> String {
    func joined(_ parts: [PredicateTree], _ word: String) -> String {
      "(" + parts.map { text($0, of: entity, lane) }.joined(separator: " \(word) ") + ")"
    }
    switch tree {
    case .constant(let value): return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .and(let parts): return joined(parts, "and")
    case .or(let parts): return joined(parts, "or")
    case .isOf(let entities):
      let names = entities.map { model[$0].name }.joined(separator: ", ")
      return "entity IN {\(names)}"
    case .matches(let term, let pattern, let options):
      return left(term, of: entity, lane) + " MATCHES\(marks(options)) \"\(pattern)\""
    case .not(let part):
      let inner = text(part, of: entity, lane)
      return inner.hasPrefix("(") ? "not \(inner)" : "not (\(inner))"
    case .comparison(let left, let relation, let right, let options, let modifier):
      let words =
        [modifier?.rawValue, self.left(left, of: entity, lane)].compactMap { $0 }
        + [
          relation.rawValue + marks(options),
          self.right(right, of: entity, lane, comparedWith: left),
        ]
      return words.joined(separator: " ")
    }
  }

  private func marks(_ options: PredicateTree.Options) -> String {
    let letters =
      (options.contains(.caseInsensitive) ? "c" : "")
      + (options.contains(.diacriticInsensitive) ? "d" : "")
    return letters.isEmpty ? "" : "[\(letters)]"
  }

  private func left(_ term: PredicateTree.Term, of entity: EntityID, _ lane: ContextID) -> String {
    switch term {
    case .path(let path): names(path, from: entity)
    case .count(let path): names(path, from: entity) + ".@count"
    case .object(let held): "object " + text(held, lane: lane)
    case .countWhere(let path, let tree):
      "SUBQUERY(\(names(path, from: entity)), "
        + text(tree, of: path.reduce(entity) { model.destination(of: $1, from: $0) }, lane)
        + ").@count"
    case .aggregate(let function, let path):
      names(path.dropLast(), from: entity)
        + ".@\(function.ofKeyPath)."
        + (model.names(of: path, from: entity).last.map(PredicateWord.spelling) ?? "")
    case .computed(.length, let terms):
      terms.map { left($0, of: entity, lane) + ".length" }.joined()
    case .computed(let operation, let terms):
      "(" + terms.map { left($0, of: entity, lane) }.joined(separator: " \(operation.rawValue) ")
        + ")"
    case .value, .list, .itself: right(term, of: entity, lane)
    }
  }

  /// Returns the right side of a comparison. The type of a value is that of the path on the `left`.
  private func right(
    _ term: PredicateTree.Term, of entity: EntityID, _ lane: ContextID,
    comparedWith left: PredicateTree.Term? = nil
  ) -> String {
    switch term {
    case .value(let value):
      guard case .path(let path)? = left else { return text(value) }
      return text(value, of: model.end(of: path, from: entity)?.property)
    case .list(let terms):
      let texts = terms.map { right($0, of: entity, lane, comparedWith: left) }
      return "{" + texts.joined(separator: ", ") + "}"
    case .object(let held): return operand(held, lane)
    case .itself: return "SELF"
    case .path(let path): return "SELF." + names(path, from: entity)
    case .count(let path): return "SELF." + names(path, from: entity) + ".@count"
    case .aggregate: return "SELF." + self.left(term, of: entity, lane)
    case .countWhere, .computed: return self.left(term, of: entity, lane)
    }
  }

  /// Returns the spelling of an object on the right of a relation.
  func operand(_ held: HeldInstance, _ lane: ContextID) -> String {
    let text = text(held, lane: lane)
    let first = text.prefix { $0 != "." }.lowercased()
    return ["self", "object", "nil"].contains(first) ? "object " + text : text
  }

  private func names(_ path: [PropertyID], from entity: EntityID) -> String {
    model.names(of: path, from: entity).map(PredicateWord.spelling).joined(separator: ".")
  }
}

/// Words with which the left side of a comparison can be confused.
enum PredicateWord {
  private static let all = [
    "ANY", "ALL", "NONE", "NOT", "SELF", "OBJECT", "NIL", "TRUE", "FALSE", "TRUEPREDICATE",
    "FALSEPREDICATE",
  ]

  /// Returns the spelling of a property in a predicate. A name that equals one of the words gets a
  /// `#`, as in `NSPredicate`.
  static func spelling(of name: String) -> String {
    all.contains(name.uppercased()) ? "#" + name : name
  }
}
