import Foundation

/// The text of a predicate, as `predicateFormat` returns it.
extension PredicateFormat {
  var text: String {
    switch self {
    case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .and(let parts): parts.map(\.part).joined(separator: " AND ")
    case .or(let parts): parts.map(\.part).joined(separator: " OR ")
    case .not(let part): "NOT \(part.part)"
    case .comparison(let left, let relation, let right, let options, let modifier):
      (modifier.map { "\($0.rawValue) " } ?? "") + left.text
        + " \(relation.rawValue)\(options.text) \(right.text)"
    }
  }

  /// The text as an operand of a compound predicate, in parentheses if necessary.
  private var part: String {
    switch self {
    case .and(let parts), .or(let parts): parts.count > 1 ? "(\(text))" : text
    default: text
    }
  }
}

extension PredicateFormat.Options {
  fileprivate var text: String {
    let letters = (ignoresCase ? "c" : "") + (ignoresDiacritics ? "d" : "")
    return letters.isEmpty ? "" : "[\(letters)]"
  }
}

extension PredicateFormat.Place {
  fileprivate var text: String {
    switch self {
    case .first: "[FIRST]"
    case .last: "[LAST]"
    case .size: "[SIZE]"
    case .index(let index): "[\(index)]"
    }
  }
}

extension PredicateFormat.Operand {
  var text: String {
    switch self {
    case .path(let keys): keys.isEmpty ? "SELF" : keys.joined(separator: ".")
    case .count(let keys): (keys + ["@count"]).joined(separator: ".")
    case .aggregate(let name, let keys):
      (keys.dropLast() + ["@" + name] + keys.suffix(1)).joined(separator: ".")
    case .subquery(let path, let variable, let format):
      PredicateFormat.Operand.members(path, variable, format).text + ".@count"
    case .members(let path, let variable, let format):
      "SUBQUERY(\(path.joined(separator: ".")), $\(variable), \(format.text))"
    case .member(let side, let place, let keys):
      ([side.text + place.text] + keys).joined(separator: ".")
    case .variable(let name, let keys): (["$" + name] + keys).joined(separator: ".")
    case .function(let name, let sides):
      if let sign = PredicateFormat.Operand.signs[name], sides.count == 2 {
        "\(sides[0].text) \(sign) \(sides[1].text)"
      } else {
        "\(name)(\(sides.map(\.text).joined(separator: ", ")))"
      }
    case .value(let value): PredicateFormat.Operand.text(of: value)
    case .list(let sides): "{\(sides.map(\.text).joined(separator: ", "))}"
    }
  }

  /// The operator signs, indexed by function name.
  static let signs = [
    "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/",
  ]

  private static func text(of value: Any?) -> String {
    switch value {
    case nil, is NSNull: return "nil"
    case let text as String:
      let escaped = text.replacingOccurrences(of: "\\", with: "\\\\")
        .replacingOccurrences(of: "\"", with: "\\\"")
      return "\"\(escaped)\""
    case let flag as Bool: return flag ? "1" : "0"
    case let date as Date: return "CAST(\(date.timeIntervalSinceReferenceDate), \"NSDate\")"
    case let value?: return "\(value)"
    }
  }
}
