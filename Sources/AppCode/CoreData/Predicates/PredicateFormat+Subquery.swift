/// The condition of a `SUBQUERY`, translated to a predicate for the members.
extension PredicateFormat {
  /// Returns a predicate for the members, in which key paths that begin with the variable become
  /// key paths of the member. Traps if the condition refers to the object of the outer predicate,
  /// which is not simulated.
  func asked(of variable: String) -> PredicateFormat {
    switch self {
    case .constant: self
    case .and(let parts): .and(parts.map { $0.asked(of: variable) })
    case .or(let parts): .or(parts.map { $0.asked(of: variable) })
    case .not(let part): .not(part.asked(of: variable))
    case .comparison(let left, let relation, let right, let options, let modifier):
      .comparison(
        left.asked(of: variable), relation, right.asked(of: variable), options, modifier)
    }
  }
}

extension PredicateFormat.Operand {
  fileprivate func asked(of variable: String) -> PredicateFormat.Operand {
    switch self {
    case .variable(variable, let keys): FormatParser.path(keys.joined(separator: "."))
    case .list(let sides): .list(sides.map { $0.asked(of: variable) })
    case .function(let name, let sides): .function(name, sides.map { $0.asked(of: variable) })
    case .value, .variable: self
    case .path, .count, .aggregate, .subquery, .members, .member:
      misuse("in a SUBQUERY, '\(text)' does not begin with $\(variable), which is not simulated")
    }
  }
}
