package import ObjectModel

/// A predicate that `Comparison`s joined by AND cannot say: as `NSPredicate` makes it of a format.
package indirect enum PredicateTree: Hashable, Sendable {
  package enum Relation: String, Hashable, Sendable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case contains = "CONTAINS"
    /// With `*` for any text and `?` for any character.
    case like = "LIKE"
    /// Of one of the values, or the members, on the right.
    case isIn = "IN"
    /// Of two values, which are included.
    case between = "BETWEEN"
  }

  /// For how many members of a to-many relationship on the left it has to hold.
  package enum Modifier: String, Hashable, Sendable {
    case any = "ANY"
    case all = "ALL"
    case none = "NONE"
  }

  /// How texts are compared: `[c]` and `[d]`.
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
    /// From the object over relationships to a property of another; each is a property of the
    /// destination of the one before.
    case path([PropertyID])
    /// How many members the to-many relationship at the end of a path has.
    case count([PropertyID])
  }

  case constant(Bool)
  case and([PredicateTree])
  case or([PredicateTree])
  case not(PredicateTree)
  case comparison(Term, Relation, Term, Options, Modifier?)

  /// With other instances for those that are named.
  package func mapInstances(_ map: (HeldInstance) -> HeldInstance) -> PredicateTree {
    switch self {
    case .constant: self
    case .and(let parts): .and(parts.map { $0.mapInstances(map) })
    case .or(let parts): .or(parts.map { $0.mapInstances(map) })
    case .not(let part): .not(part.mapInstances(map))
    case .comparison(let left, let relation, let right, let options, let modifier):
      .comparison(
        left.mapInstances(map), relation, right.mapInstances(map), options, modifier)
    }
  }
}

extension PredicateTree.Term {
  fileprivate func mapInstances(_ map: (HeldInstance) -> HeldInstance) -> PredicateTree.Term {
    switch self {
    case .object(let held): .object(map(held))
    case .list(let terms): .list(terms.map { $0.mapInstances(map) })
    case .value, .itself, .path, .count: self
    }
  }
}
