public import Foundation

/// An expression, such as a key path, a constant, a function, or one side of a comparison. Replaces
/// `NSExpression`, which Foundation does not evaluate on Linux.
open class SimulatedNSExpression: NSObject {
  /// The kinds of expressions.
  public enum ExpressionType: UInt, Sendable {
    /// A constant value.
    case constantValue = 0
    /// The object itself.
    case evaluatedObject = 1
    /// The value of a variable.
    case variable = 2
    /// The value at a key path.
    case keyPath = 3
    /// A function of other expressions.
    case function = 4
    /// The union of two sets, which is not simulated.
    case unionSet = 5
    /// The intersection of two sets, which is not simulated.
    case intersectSet = 6
    /// The difference of two sets, which is not simulated.
    case minusSet = 7
    /// The members that match a condition.
    case subquery = 13
    /// A list of expressions.
    case aggregate = 14
    /// Any key, which is not simulated.
    case anyKey = 15
    /// A block, which is not simulated.
    case block = 19
    /// A choice between two expressions, which is not simulated.
    case conditional = 20
  }

  let side: PredicateFormat.Operand

  /// The kind of the expression. The number of members and other collection operators are key
  /// paths, as in Apple's Foundation.
  open var expressionType: ExpressionType {
    switch side {
    case .path(let keys): keys.isEmpty ? .evaluatedObject : .keyPath
    case .count, .aggregate: .keyPath
    case .subquery, .members: .subquery
    case .member: .function
    case .variable(_, let keys): keys.isEmpty ? .variable : .keyPath
    case .function: .function
    case .value: .constantValue
    case .list: .aggregate
    }
  }

  init(_ side: PredicateFormat.Operand) { self.side = side }

  /// Creates an expression for the value at a key path.
  public convenience init(forKeyPath path: String) { self.init(FormatParser.path(path)) }

  /// Creates an expression for the value of a managed object's property. Traps for other classes,
  /// whose properties have no keys.
  public convenience init<Root, Value>(forKeyPath path: KeyPath<Root, Value>) {
    self.init(forKeyPath: NSSortDescriptor.key(of: path))
  }

  /// Creates an expression for a constant value.
  public convenience init(forConstantValue value: Any?) {
    self.init(value.map { FormatParser.value($0) } ?? .value(nil))
  }

  /// Creates an expression for the value of a variable.
  public convenience init(forVariable name: String) { self.init(.variable(name, [])) }

  /// Creates a list of expressions, such as the right side of `IN` and `BETWEEN`.
  public convenience init(forAggregate parts: [SimulatedNSExpression]) {
    self.init(.list(parts.map(\.side)))
  }

  /// Creates a function expression. A dictionary request accepts `count:`, `sum:`, `min:`, `max:`
  /// or `average:` of a key path, which aggregate its rows. Evaluating other functions traps.
  public convenience init(forFunction name: String, arguments: [Any]) {
    self.init(.function(name, arguments.map { FormatParser.value($0) }))
  }

  /// Creates a subquery for the members, at the end of a key path, that match a predicate with a
  /// variable. A store computes the number of members, whereas the members themselves are found in
  /// memory. Traps if `predicate` is not an `NSPredicate`.
  public convenience init(
    forSubquery collection: SimulatedNSExpression, usingIteratorVariable variable: String,
    predicate: Any
  ) {
    guard case .path(let keys) = collection.side else {
      misuse("a subquery requires a key path, not \(collection)")
    }
    guard let predicate = predicate as? NSPredicate else {
      misuse("the condition of a subquery is not a predicate: \(predicate)")
    }
    self.init(.members(keys, variable, PredicateFormat.of(predicate)))
  }

  /// The condition for the members of a subquery. Traps for another expression.
  open var predicate: NSPredicate {
    guard case .members(_, _, let condition) = side else {
      misuse("predicate is read of an expression that is not a subquery")
    }
    return FormatPredicate.make(condition)
  }

  /// The collection from which a subquery chooses, or the expressions of a list. Traps for another
  /// expression.
  open var collection: Any {
    switch side {
    case .members(let keys, _, _): return SimulatedNSExpression(.path(keys))
    case .list(let sides): return sides.map { SimulatedNSExpression($0) }
    default: misuse("collection is read of an expression that has no collection")
    }
  }

  /// Creates an expression from one side of a comparison in the predicate format.
  public convenience init(format: String, _ arguments: Any...) {
    self.init(FormatParser.side(format, arguments))
  }

  /// Creates an expression from one side of a comparison, with the format's arguments in an array.
  public convenience init(format: String, argumentArray arguments: [Any]) {
    self.init(FormatParser.side(format, arguments))
  }

  /// Returns an expression for the object itself.
  open class func expressionForEvaluatedObject() -> SimulatedNSExpression {
    SimulatedNSExpression(.path([]))
  }

  /// Evaluates the expression for an object by key-value coding. `context` provides the values of
  /// variables.
  open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
    var variables: [String: Any] = [:]
    for (key, value) in context ?? [:] { variables["\(key)"] = value }
    if case .function(let name, let sides) = side, sides.count == 1, name.hasSuffix(":"),
      ["sum", "count", "min", "max", "average"].contains(String(name.dropLast()))
    {
      let values = sides[0].content(of: object, variables).values.compactMap { $0 }
      return KeyValueOperator.value(of: values, String(name.dropLast()))
    }
    return side.value(of: object, variables)
  }

  /// The key path of the expression. Traps for another expression.
  open var keyPath: String {
    switch side {
    case .path, .count, .aggregate: return side.text
    default: misuse("keyPath is read of an expression that is not a key path")
    }
  }

  /// The constant value, or the values of a list. Traps for another expression.
  open var constantValue: Any? {
    switch side {
    case .value(let value): return value
    case .list(let sides): return sides.map { $0.value(of: nil, [:]) ?? NSNull() }
    default: misuse("constantValue is read of an expression that is not a constant")
    }
  }

  /// The name of the function. Traps for another expression.
  open var function: String {
    guard case .function(let name, _) = side else {
      misuse("function is read of an expression that is not a function")
    }
    return name
  }

  /// The arguments of the function, or nil for another expression.
  open var arguments: [SimulatedNSExpression]? {
    guard case .function(_, let sides) = side else { return nil }
    return sides.map { SimulatedNSExpression($0) }
  }

  /// The name of the variable. Traps for another expression.
  open var variable: String {
    switch side {
    case .variable(let name, _), .members(_, let name, _): return name
    default: misuse("variable is read of an expression that is not a variable")
    }
  }

  open override var description: String { side.text }

  open override func isEqual(_ object: Any?) -> Bool {
    (object as? SimulatedNSExpression)?.side.text == side.text
  }

  open override var hash: Int { side.text.hashValue }
}
