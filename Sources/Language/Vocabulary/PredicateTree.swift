package import ObjectModel

/// A predicate of `NSPredicate` that a conjunction of `Comparison` values cannot express.
///
/// A comparison whose left side has many values names a `Modifier`. Without a modifier, `contains`
/// tests whether the right side is among these values.
package indirect enum PredicateTree: Hashable, Sendable {
  package enum Relation: String, CaseIterable, Hashable, Sendable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case contains = "CONTAINS"
    /// Matches a pattern in which `*` stands for any text and `?` for any character.
    case like = "LIKE"
    /// Tests membership in the values, or in the relationship, on the right.
    case isIn = "IN"
    /// Tests membership in the closed range of two values.
    case between = "BETWEEN"
  }

  /// A quantifier over the members of a to-many relationship on the left.
  package enum Modifier: String, CaseIterable, Hashable, Sendable {
    case any = "ANY"
    case all = "ALL"
    case none = "NONE"
  }

  /// Options of text comparison, `[c]` and `[d]`.
  package struct Options: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let caseInsensitive = Options(rawValue: 1)
    package static let diacriticInsensitive = Options(rawValue: 2)
  }

  package indirect enum Term: Hashable, Sendable {
    case value(Value)
    case list([Term])
    /// The ID of a held instance.
    case object(HeldInstance)
    /// The object itself.
    case itself
    /// A key path from the object over relationships to a property of another object. Each property
    /// belongs to the destination of the previous one.
    case path([PropertyID])
    /// The number of members of the to-many relationship at the end of a path.
    case count([PropertyID])
    /// The number of these members that satisfy a predicate of their entity: `SUBQUERY(…).@count`.
    case countWhere([PropertyID], PredicateTree)
    /// An aggregate of the values at the end of a path over to-many relationships, such as
    /// `notes.@sum.stars`.
    case aggregate(Aggregate.Function, [PropertyID])
    case computed(Operation, [Term])
  }

  /// A computation on the values of other terms. The result is nil if a value is nil.
  package enum Operation: String, CaseIterable, Hashable, Sendable {
    case plus = "+"
    case minus = "-"
    case times = "*"
    /// The number of characters of a text.
    case length
  }

  case constant(Bool)
  case and([PredicateTree])
  case or([PredicateTree])
  case not(PredicateTree)
  case comparison(Term, Relation, Term, Options, Modifier?)
  /// Tests whether a regular expression matches the whole text.
  case matches(Term, String, Options)
  /// Tests whether the object's entity is one of these. Subentities do not count.
  case isOf([EntityID])

  /// Returns the predicate with every term and every entity replaced. Terms are visited from left
  /// to right.
  ///
  /// - Parameter map: Called with a term and the term on the other side of its comparison.
  package func mapTerms(
    entities: (EntityID) -> EntityID, _ map: (_ term: Term, _ other: Term) -> Term
  ) -> PredicateTree {
    switch self {
    case .constant: return self
    case .and(let parts): return .and(parts.map { $0.mapTerms(entities: entities, map) })
    case .or(let parts): return .or(parts.map { $0.mapTerms(entities: entities, map) })
    case .not(let part): return .not(part.mapTerms(entities: entities, map))
    case .comparison(let left, let relation, let right, let options, let modifier):
      let new = map(left, right)
      return .comparison(new, relation, map(right, left), options, modifier)
    case .matches(let term, let pattern, let options):
      return .matches(map(term, .value(.null)), pattern, options)
    case .isOf(let known): return .isOf(known.map(entities))
    }
  }

  /// The key paths of the predicate's terms, from left to right.
  package var paths: [[PropertyID]] {
    switch self {
    case .constant, .isOf: []
    case .matches(let term, _, _): term.paths
    case .and(let parts), .or(let parts): parts.flatMap(\.paths)
    case .not(let part): part.paths
    case .comparison(let left, _, let right, _, _): left.paths + right.paths
    }
  }
}

extension PredicateTree.Term {
  package var paths: [[PropertyID]] {
    switch self {
    case .value, .object, .itself: []
    case .path(let path), .count(let path), .countWhere(let path, _), .aggregate(_, let path):
      [path]
    case .list(let terms), .computed(_, let terms): terms.flatMap(\.paths)
    }
  }

  /// A Boolean value that indicates whether a scenario can express the term.
  fileprivate var hasWords: Bool {
    switch self {
    case .value, .object, .itself, .path, .count, .aggregate: true
    case .list(let terms): terms.allSatisfy(\.hasWords)
    case .countWhere, .computed: false
    }
  }
}

extension PredicateTree {
  /// A Boolean value that indicates whether a scenario can express the predicate. Live code can use
  /// predicates that scenarios cannot express.
  package var hasWords: Bool {
    switch self {
    case .constant: true
    case .and(let parts), .or(let parts): parts.allSatisfy(\.hasWords)
    case .not(let part): part.hasWords
    case .comparison(let left, _, let right, _, _): left.hasWords && right.hasWords
    case .matches, .isOf: false
    }
  }
}

extension PredicateTree {
  /// The canonical form of the tree. It has no list with a single part, and no list directly in a
  /// list of the same kind.
  package var normalized: PredicateTree {
    switch self {
    case .constant, .comparison, .matches, .isOf: return self
    case .not(let part): return .not(part.normalized)
    case .and(let parts):
      let flat = parts.map(\.normalized).flatMap { part in
        if case .and(let inner) = part { inner } else { [part] }
      }
      return flat.isEmpty ? .constant(true) : flat.count == 1 ? flat[0] : .and(flat)
    case .or(let parts):
      let flat = parts.map(\.normalized).flatMap { part in
        if case .or(let inner) = part { inner } else { [part] }
      }
      return flat.isEmpty ? .constant(false) : flat.count == 1 ? flat[0] : .or(flat)
    }
  }

  /// The parts of a request's predicate: comparisons that all must hold, and a tree for the
  /// conditions that comparisons cannot express.
  package var split: (comparisons: [Comparison], tree: PredicateTree?) {
    let whole = normalized
    let conditions: [PredicateTree] = if case .and(let parts) = whole { parts } else { [whole] }
    var comparisons: [Comparison] = []
    var rest: [PredicateTree] = []
    for condition in conditions where condition != .constant(true) {
      if let comparison = condition.plain {
        comparisons.append(comparison)
      } else {
        rest.append(condition)
      }
    }
    return (comparisons, rest.count > 1 ? .and(rest) : rest.first)
  }

  /// The comparison of one property of the entity with a value or an object, or `nil` for any other
  /// tree.
  private var plain: Comparison? {
    guard case .comparison(.path(let path), let relation, let right, [], nil) = self,
      path.count == 1, let relation = Comparison.Relation(rawValue: relation.rawValue)
    else { return nil }
    switch right {
    case .value(let value):
      return Comparison(property: path[0], relation: relation, operand: .value(value))
    case .object(let held) where relation == .equal || relation == .notEqual:
      return Comparison(property: path[0], relation: relation, operand: .object(held))
    case .object, .list, .itself, .path, .count, .countWhere, .aggregate, .computed: return nil
    }
  }
}
