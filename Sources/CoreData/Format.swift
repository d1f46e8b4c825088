import Foundation

/// A predicate as a tree of Swift values: what `NSPredicate(format:)` says.
indirect enum Format {
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

  indirect enum Side {
    /// A key path; without keys, the object itself.
    case path([String])
    /// The number of members of the to-many relationship at the end of a path.
    case count([String])
    /// Of the values at the end of a path: `sum`, `min`, `max` or `average`.
    case aggregate(String, [String])
    /// `SUBQUERY(path, $variable, condition).@count`.
    case subquery([String], String, Format)
    /// `SUBQUERY(path, $variable, condition)`: the members themselves.
    case members([String], String, Format)
    /// `lines[FIRST].count`: what a key path leads to from a member of the list behind a side.
    case member(Side, Place, [String])
    /// The value of a variable, or what a key path leads to from there.
    case variable(String, [String])
    /// A function by the name that expressions have for it, as `add:to:`.
    case function(String, [Side])
    case value(Any?)
    case list([Side])
  }

  /// A place in a list; `size` is how long the list is.
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
  case and([Format])
  case or([Format])
  case not(Format)
  case comparison(Side, Relation, Side, Options, Modifier?)

  // MARK: In a predicate

  /// A Boolean value that indicates whether a predicate is a block, or has one among its parts.
  static func isBlock(_ predicate: NSPredicate) -> Bool {
    if let compound = predicate as? NSCompoundPredicate {
      return compound.subpredicates.contains { isBlock($0) }
    }
    return !(predicate is any SimulatedPredicate)
      && ![true, false].contains { predicate.isEqual(NSPredicate(value: $0)) }
  }

  /// The format of a predicate. Traps if it is a block, which only stores in memory can be asked by
  /// (see `NSManagedObjectContext.objectsByBlock(_:)`).
  static func of(_ predicate: NSPredicate) -> Format {
    if let known = predicate as? any SimulatedPredicate { return known.format }
    if let compound = predicate as? NSCompoundPredicate {
      let parts = compound.subpredicates.map { Format.of($0) }
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
      "a store of SQLite, a batch request and a list cannot be asked by a predicate that is a block"
    )
  }

  // MARK: Variables

  /// With the values of variables; those that have none stay.
  func substituting(_ values: [String: Any]) -> Format {
    mapping { side in
      guard case .variable(let name, let keys) = side, let value = values[name] else { return nil }
      if keys.isEmpty { return FormatParser.value(value) }
      // A key path of the value: what it leads to now.
      let path = FormatParser.path(keys.joined(separator: "."))
      return .value(path.value(of: value, [:]))
    }
  }

  /// With other sides in the place of those that `change` has one for.
  func mapping(_ change: (Side) -> Side?) -> Format {
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

extension Format.Side {
  fileprivate func mapping(_ change: (Format.Side) -> Format.Side?) -> Format.Side {
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
