import Foundation

/// A predicate as a tree of Swift values, as parsed from a format string.
indirect enum PredicateFormat {
  enum Relation: String {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case contains = "CONTAINS"
    case like = "LIKE"
    case matches = "MATCHES"
    case isIn = "IN"
    case between = "BETWEEN"
  }

  enum Modifier: String {
    case any = "ANY"
    case all = "ALL"
    case none = "NONE"
  }

  indirect enum Operand {
    /// A key path. An empty path means the object itself.
    case path([String])
    /// The number of members of the to-many relationship at the end of a path.
    case count([String])
    /// An aggregate of the values at the end of a path. The name is `sum`, `min`, `max` or `avg`.
    case aggregate(String, [String])
    /// The number of members that meet a condition: `SUBQUERY(path, $variable, condition).@count`.
    case subquery([String], String, PredicateFormat)
    /// The members that meet a condition: `SUBQUERY(path, $variable, condition)`.
    case members([String], String, PredicateFormat)
    /// A member of a list, or the value at a key path from that member, such as
    /// `lines[FIRST].count`.
    case member(Operand, Place, [String])
    /// The value of a variable, or the value at a key path from it.
    case variable(String, [String])
    /// A function under its name in `NSExpression`, such as `add:to:`.
    case function(String, [Operand])
    case value(Any?)
    case list([Operand])
  }

  /// A place in a list. The place `size` stands for the length of the list.
  enum Place {
    case first
    case last
    case size
    case index(Int)
  }

  struct Options {
    var ignoresCase = false
    var ignoresDiacritics = false
  }

  case constant(Bool)
  case and([PredicateFormat])
  case or([PredicateFormat])
  case not(PredicateFormat)
  case comparison(Operand, Relation, Operand, Options, Modifier?)

  // MARK: In a predicate

  /// A Boolean value that indicates whether a predicate is a block, or has one among its parts.
  static func isBlock(_ predicate: NSPredicate) -> Bool {
    if let compound = predicate as? NSCompoundPredicate {
      return compound.subpredicates.contains { isBlock($0) }
    }
    return !(predicate is any SimulatedPredicate)
      && ![true, false].contains { predicate.isEqual(NSPredicate(value: $0)) }
  }

  /// Returns the format of a predicate. Traps if the predicate is a block. Only in-memory stores
  /// evaluate blocks (see `NSManagedObjectContext.objectsByBlock(_:)`).
  static func of(_ predicate: NSPredicate) -> PredicateFormat {
    if let known = predicate as? any SimulatedPredicate { return known.format }
    if let compound = predicate as? NSCompoundPredicate {
      let parts = compound.subpredicates.map { PredicateFormat.of($0) }
      switch compound.compoundPredicateType {
      case .and: return .and(parts)
      case .or: return .or(parts)
      case .not: return .not(.and(parts))
      @unknown default: misuse("a compound predicate of an unknown type")
      }
    }
    for answer in [true, false] where predicate.isEqual(NSPredicate(value: answer)) {
      return .constant(answer)
    }
    misuse(
      "a predicate with a block cannot be used for a SQLite store, a batch request or a list"
    )
  }

  // MARK: Variables

  /// Replaces variables by their values. Variables without a value remain.
  func substituting(_ values: [String: Any]) -> PredicateFormat {
    mapping { side in
      guard case .variable(let name, let keys) = side, let value = values[name] else { return nil }
      if keys.isEmpty { return FormatParser.value(value) }
      // Evaluate the key path now, because the result contains no variable.
      let path = FormatParser.path(keys.joined(separator: "."))
      return .value(path.value(of: value, [:]))
    }
  }

  /// Returns a copy of the predicate in which `change` replaces sides. Sides for which `change`
  /// returns `nil` remain, and their parts are visited.
  func mapping(_ change: (Operand) -> Operand?) -> PredicateFormat {
    switch self {
    case .constant: self
    case .and(let parts): .and(parts.map { $0.mapping(change) })
    case .or(let parts): .or(parts.map { $0.mapping(change) })
    case .not(let part): .not(part.mapping(change))
    case .comparison(let left, let relation, let right, let options, let modifier):
      .comparison(left.mapping(change), relation, right.mapping(change), options, modifier)
    }
  }
}

extension PredicateFormat.Operand {
  fileprivate func mapping(_ change: (PredicateFormat.Operand) -> PredicateFormat.Operand?)
    -> PredicateFormat.Operand
  {
    if let other = change(self) { return other }
    switch self {
    case .list(let sides): return .list(sides.map { $0.mapping(change) })
    case .function(let name, let sides):
      return .function(name, sides.map { $0.mapping(change) })
    case .subquery(let path, let variable, let format):
      return .subquery(path, variable, format.mapping(change))
    case .members(let path, let variable, let format):
      return .members(path, variable, format.mapping(change))
    case .member(let side, let place, let keys):
      return .member(side.mapping(change), place, keys)
    case .variable, .path, .count, .aggregate, .value: return self
    }
  }
}
