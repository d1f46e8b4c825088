import Foundation

/// Predicates evaluated for an object in memory by key-value coding.
extension PredicateFormat {
  func evaluate(with object: Any?, _ variables: [String: Any]) -> Bool {
    switch self {
    case .constant(let value): return value
    case .and(let parts): return parts.allSatisfy { $0.evaluate(with: object, variables) }
    case .or(let parts): return parts.contains { $0.evaluate(with: object, variables) }
    case .not(let part): return !part.evaluate(with: object, variables)
    case .comparison(let left, let relation, let right, let options, let modifier):
      let (left, right) = (
        left.content(of: object, variables), right.content(of: object, variables)
      )
      guard case .many(let values) = left else {
        return PredicateFormat.holds(left.value, relation, right, options)
      }
      switch modifier {
      case nil where relation == .contains:
        return values.contains { PredicateFormat.holds($0, .equal, right, options) }
      case nil, .any: return values.contains { PredicateFormat.holds($0, relation, right, options) }
      case .all: return values.allSatisfy { PredicateFormat.holds($0, relation, right, options) }
      case .some(.none):
        return !values.contains { PredicateFormat.holds($0, relation, right, options) }
      }
    }
  }

  enum Content {
    case one(Any?)
    case many([Any?])

    var value: Any? {
      switch self {
      case .one(let value): value
      case .many(let values): values.first ?? nil
      }
    }
  }

  private static func holds(
    _ value: Any?, _ relation: Relation, _ right: Content, _ options: Options
  ) -> Bool {
    switch (relation, right) {
    case (.isIn, .many(let values)): return values.contains { isEqual(value, $0, options) }
    case (.between, .many(let bounds)) where bounds.count == 2:
      return order(bounds[0], value, options).map { $0 <= 0 } ?? false
        && order(value, bounds[1], options).map { $0 <= 0 } ?? false
    case (.isIn, _), (.between, _): return false
    case (_, .many(let values)):
      return values.contains { holds(value, relation, .one($0), options) }
    case (.equal, .one(let other)): return isEqual(value, other, options)
    case (.notEqual, .one(let other)): return !isEqual(value, other, options)
    case (.less, .one(let other)): return order(value, other, options).map { $0 < 0 } ?? false
    case (.lessOrEqual, .one(let other)):
      return order(value, other, options).map { $0 <= 0 } ?? false
    case (.greater, .one(let other)): return order(value, other, options).map { $0 > 0 } ?? false
    case (.greaterOrEqual, .one(let other)):
      return order(value, other, options).map { $0 >= 0 } ?? false
    case (.beginsWith, .one(let other)), (.endsWith, .one(let other)),
      (.contains, .one(let other)), (.like, .one(let other)), (.matches, .one(let other)):
      guard let text = value as? String, let part = other as? String else { return false }
      return holds(relation, folded(text, options), folded(part, options))
    }
  }

  private static func holds(_ relation: Relation, _ text: String, _ part: String) -> Bool {
    switch relation {
    case .beginsWith: return text.hasPrefix(part)
    case .endsWith: return text.hasSuffix(part)
    case .contains: return part.isEmpty || text.contains(part)
    case .matches: return text.range(of: "^(?:\(part))$", options: .regularExpression) != nil
    default:
      let pattern = NSRegularExpression.escapedPattern(for: part)
        .replacingOccurrences(of: "\\*", with: ".*").replacingOccurrences(of: "\\?", with: ".")
      return text.range(of: "^\(pattern)$", options: .regularExpression) != nil
    }
  }

  private static func folded(_ text: String, _ options: Options) -> String {
    var comparison: String.CompareOptions = []
    if options.ignoresCase { comparison.insert(.caseInsensitive) }
    if options.ignoresDiacritics { comparison.insert(.diacriticInsensitive) }
    return comparison.isEmpty ? text : text.folding(options: comparison, locale: nil)
  }

  private static func isEqual(_ a: Any?, _ b: Any?, _ options: Options) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    if let order = order(a, b, options) { return order == 0 }
    if let x = a as? NSManagedObject, let y = b as? NSManagedObjectID { return x.objectID == y }
    if let x = a as? NSManagedObjectID, let y = b as? NSManagedObject { return x == y.objectID }
    if let x = a as? AnyHashable, let y = b as? AnyHashable { return x == y }
    return false
  }

  /// Compares two values. Returns a negative number, 0 or a positive number, or `nil` if the values
  /// have no order.
  static func order(_ a: Any?, _ b: Any?, _ options: Options) -> Int? {
    if let x = a as? String, let y = b as? String {
      let (x, y) = (folded(x, options), folded(y, options))
      return x < y ? -1 : x == y ? 0 : 1
    }
    if let x = a as? Date, let y = b as? Date { return x < y ? -1 : x == y ? 0 : 1 }
    guard let x = number(a), let y = number(b) else { return nil }
    return x < y ? -1 : x == y ? 0 : 1
  }

  static func number(_ any: Any?) -> Double? {
    switch any {
    case let number as Double: number
    case let number as Float: Double(number)
    case let flag as Bool: flag ? 1 : 0
    case let number as any BinaryInteger: Double(Int64(truncatingIfNeeded: number))
    case let number as Decimal: NSDecimalNumber(decimal: number).doubleValue
    case let number as NSNumber: number.doubleValue
    default: nil
    }
  }
}
