import ObjectModel
import Vocabulary

/// Evaluation of predicates for an object in a `PredicateView`.
extension PredicateTree {
  /// Evaluates the tree for an object. §predicate-tree
  func matches(_ id: ObjectID, in view: PredicateView) -> Bool {
    switch self {
    case .constant(let value): value
    case .and(let parts): parts.allSatisfy { $0.matches(id, in: view) }
    case .or(let parts): parts.contains { $0.matches(id, in: view) }
    case .not(let part): !part.matches(id, in: view)
    case .comparison(let left, let relation, let right, let options, let modifier):
      PredicateTree.compare(
        left.content(for: id, in: view), relation, right.content(for: id, in: view), options,
        modifier, view)
    case .matches(let term, let pattern, let options):
      PredicateText.matches(
        PredicateTree.text(term.content(for: id, in: view).value, [], view), pattern, options)
    case .isOf(let entities): entities.contains(id.entity)
    }
  }

  /// The values of a term: one value, or several.
  fileprivate enum Content {
    case one(Value)
    case many([Value])
  }

  /// Evaluates a comparison of two terms. §predicate-comparison
  private static func compare(
    _ left: Content, _ relation: Relation, _ right: Content, _ options: Options,
    _ modifier: Modifier?, _ view: PredicateView
  ) -> Bool {
    guard case .many(let values) = left else {
      return compare(left.value, relation, right, options, view)
    }
    switch modifier {
    // §predicate-comparison.3
    case nil where relation == .contains:
      return values.contains { compare($0, .equal, right, options, view) }
    case nil, .any: return values.contains { compare($0, relation, right, options, view) }
    case .all: return values.allSatisfy { compare($0, relation, right, options, view) }
    case .some(.none):
      return !values.contains { compare($0, relation, right, options, view) }
    }
  }

  /// Compares a value with operands. §compare-values
  private static func compare(
    _ value: Value, _ relation: Relation, _ right: Content, _ options: Options,
    _ view: PredicateView
  ) -> Bool {
    switch (relation, right) {
    case (.isIn, .many(let values)):
      return values.contains { isEqual(value, $0, options, view) }
    case (.between, .many(let bounds)) where bounds.count == 2:
      return precedes(bounds[0], value, orEqual: true, options, view)
        && precedes(value, bounds[1], orEqual: true, options, view)
    case (.isIn, .one), (.between, _): return false
    case (_, .many(let values)):
      return values.contains { compare(value, relation, .one($0), options, view) }
    case (.equal, .one(let other)): return isEqual(value, other, options, view)
    case (.notEqual, .one(let other)): return !isEqual(value, other, options, view)
    case (.less, .one(let other)): return precedes(value, other, orEqual: false, options, view)
    case (.lessOrEqual, .one(let other)):
      return precedes(value, other, orEqual: true, options, view)
    case (.greater, .one(let other)): return precedes(other, value, orEqual: false, options, view)
    case (.greaterOrEqual, .one(let other)):
      return precedes(other, value, orEqual: true, options, view)
    case (.beginsWith, .one(let other)), (.endsWith, .one(let other)),
      (.contains, .one(let other)), (.like, .one(let other)):
      guard let whole = text(value, options, view), let part = text(other, options, view) else {
        return false
      }
      return PredicateText.holds(relation, of: whole, part)
    }
  }

  private static func text(
    _ value: Value, _ options: Options, _ view: PredicateView
  ) -> String? {
    guard case .string(let symbol) = value else { return nil }
    return PredicateText.folded(view.order.symbols.text(of: symbol), options)
  }

  /// Decides whether two values are equal. §compare-values.4
  private static func isEqual(
    _ a: Value, _ b: Value, _ options: Options, _ view: PredicateView
  ) -> Bool {
    if let x = a.objectID, let y = b.objectID { return view.isSame(x, y) }
    if !options.isEmpty, let x = text(a, options, view), let y = text(b, options, view) {
      return x == y
    }
    if let (x, y) = numbers(a, b) { return x == y }
    if case .decimal = a, case .decimal = b {
      return !view.order.precedes(a, b) && !view.order.precedes(b, a)
    }
    return a == b
  }

  /// Decides whether one value comes before another. Null comes neither before nor after a value.
  /// §compare-values.5
  private static func precedes(
    _ a: Value, _ b: Value, orEqual: Bool, _ options: Options, _ view: PredicateView
  ) -> Bool {
    if a.isNull || b.isNull { return false }
    if orEqual, isEqual(a, b, options, view) { return true }
    if !options.isEmpty, let x = text(a, options, view), let y = text(b, options, view) {
      return x < y
    }
    if let (x, y) = numbers(a, b) { return x < y }
    return view.order.precedes(a, b)
  }

  /// Returns two numbers of different types as fractions, or `nil` for other values.
  /// §compare-values.4.3
  private static func numbers(_ a: Value, _ b: Value) -> (Double, Double)? {
    func number(_ value: Value) -> Double? {
      switch value {
      case .integer(let number): Double(number)
      case .decimal, .number: value.amount
      case .boolean(let flag): flag ? 1 : 0
      case .date(let seconds): Double(seconds)
      default: nil
      }
    }
    switch (a, b) {
    case (.integer, .integer), (.date, .date), (.boolean, .boolean), (.number, .number),
      (.decimal, .decimal):
      return nil
    default: return number(a).flatMap { x in number(b).map { (x, $0) } }
    }
  }
}

extension PredicateTree.Content {
  fileprivate var value: Value {
    switch self {
    case .one(let value): value
    case .many(let values): values.first ?? .null
    }
  }

  fileprivate var values: [Value] {
    switch self {
    case .one(let value): [value]
    case .many(let values): values
    }
  }
}

extension PredicateTree.Term {
  /// Returns the value of the term for an object, or the first of several values.
  func value(for id: ObjectID, in view: PredicateView) -> Value {
    content(for: id, in: view).value
  }

  /// Finds the values of the term for an object. §term-values
  fileprivate func content(
    for id: ObjectID, in view: PredicateView
  ) -> PredicateTree.Content {
    switch self {
    case .value(let value): .one(value)
    case .itself: .one(.object(id))
    case .object(let held): .one(view.id(of: held).map { .object($0) } ?? .null)
    case .list(let terms): .many(terms.map { $0.content(for: id, in: view).value })
    case .path(let path): PredicateTree.Term.walk(path[...], from: id, view)
    case .count(let path):
      switch PredicateTree.Term.walk(path[...], from: id, view) {
      case .many(let values): .one(.integer(Int64(values.count)))
      case .one(let value): .one(.integer(value.isNull ? 0 : 1))
      }
    case .countWhere(let path, let tree):
      .one(
        .integer(
          Int64(members(at: path, of: id, view).count { tree.matches($0, in: view) })))
    case .aggregate(let function, let path):
      .one(
        function.value(
          of: PredicateTree.Term.walk(path[...], from: id, view).values, view.order))
    case .computed(let operation, let terms):
      .one(operation.value(of: terms.map { $0.content(for: id, in: view).value }, view.order))
    }
  }

  /// Returns the objects to which a path leads.
  private func members(
    at path: [PropertyID], of id: ObjectID, _ view: PredicateView
  ) -> [ObjectID] {
    PredicateTree.Term.walk(path[...], from: id, view).values.compactMap(\.objectID)
  }

  /// Follows a path from an object. §path-values
  private static func walk(
    _ path: ArraySlice<PropertyID>, from id: ObjectID, _ view: PredicateView
  ) -> PredicateTree.Content {
    guard let property = path.first else { return .one(.object(id)) }
    let rest = path.dropFirst()
    guard view.isToMany(property, of: id.entity) else {
      let value = view.value(of: id, property)
      guard !rest.isEmpty else { return .one(value) }
      if let next = value.objectID { return walk(rest, from: next, view) }
      // §path-values.2.1: a nil object has no members. Its other properties are nil.
      return view.isMany(rest, from: property, of: id.entity) ? .many([]) : .one(.null)
    }
    var values: [Value] = []
    for member in view.members(of: id, property) {
      switch walk(rest, from: member, view) {
      case .one(let value): values.append(value)
      case .many(let more): values += more
      }
    }
    return .many(values)
  }
}
