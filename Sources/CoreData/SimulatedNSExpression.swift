public import Foundation

/// Stands for `NSExpression`, which Foundation does not carry out on Linux: a key path, a constant,
/// a function, or one side of a comparison.
open class SimulatedNSExpression: NSObject {
  /// What an expression is.
  public enum ExpressionType: UInt, Sendable {
    /// A value.
    case constantValue = 0
    /// The object itself.
    case evaluatedObject = 1
    /// The value of a variable.
    case variable = 2
    /// The value at a key path.
    case keyPath = 3
    /// A function of other expressions.
    case function = 4
    /// What one of two sets has; none is made here.
    case unionSet = 5
    /// What two sets have; none is made here.
    case intersectSet = 6
    /// What one set has and another has not; none is made here.
    case minusSet = 7
    /// The members that a condition chooses.
    case subquery = 13
    /// Several expressions.
    case aggregate = 14
    /// Any key; none is made here.
    case anyKey = 15
    /// A block; none is made here.
    case block = 19
    /// One of two expressions; none is made here.
    case conditional = 20
  }

  let side: Format.Side

  /// What it is. The number of members, and other operators of collections, are key paths, as with
  /// Apple's.
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

  init(_ side: Format.Side) { self.side = side }

  /// The value at a key path.
  public convenience init(forKeyPath path: String) { self.init(FormatParser.path(path)) }

  /// The value of a property of managed objects. Traps for another class: no key says what its
  /// property is called.
  public convenience init<Root, Value>(forKeyPath path: KeyPath<Root, Value>) {
    self.init(forKeyPath: NSSortDescriptor.key(of: path))
  }

  /// A value.
  public convenience init(forConstantValue value: Any?) {
    self.init(value.map { FormatParser.value($0) } ?? .value(nil))
  }

  /// The value of a variable.
  public convenience init(forVariable name: String) { self.init(.variable(name, [])) }

  /// Several expressions, as the right side of `IN` and `BETWEEN`.
  public convenience init(forAggregate parts: [SimulatedNSExpression]) {
    self.init(.list(parts.map(\.side)))
  }

  /// A function. In a dictionary request an aggregate over its rows: `count:`, `sum:`, `min:`,
  /// `max:` or `average:` of a key path. Others trap where they are asked for.
  public convenience init(forFunction name: String, arguments: [Any]) {
    self.init(.function(name, arguments.map { FormatParser.value($0) }))
  }

  /// The members of a relationship, at the end of a key path, that fulfil a condition about a
  /// variable: an `NSPredicate`. A store is asked how many they are; the members themselves are
  /// found in memory.
  public convenience init(
    forSubquery collection: SimulatedNSExpression, usingIteratorVariable variable: String,
    predicate: Any
  ) {
    guard case .path(let keys) = collection.side else {
      misuse("a subquery is of a key path, not of \(collection)")
    }
    guard let predicate = predicate as? NSPredicate else {
      misuse("the condition of a subquery is no predicate: \(predicate)")
    }
    self.init(.members(keys, variable, Format.of(predicate)))
  }

  /// What is asked of the members of a subquery. Traps for another expression.
  open var predicate: NSPredicate {
    guard case .members(_, _, let condition) = side else {
      misuse("the condition of an expression that is no subquery")
    }
    return FormatPredicate.make(condition)
  }

  /// What a subquery chooses from. Traps for another expression.
  open var collection: Any {
    switch side {
    case .members(let keys, _, _): return SimulatedNSExpression(.path(keys))
    case .list(let sides): return sides.map { SimulatedNSExpression($0) }
    default: misuse("the collection of an expression that has none")
    }
  }

  /// One side of a comparison in the format of predicates.
  public convenience init(format: String, _ arguments: Any...) {
    self.init(FormatParser.side(format, arguments))
  }

  /// Likewise, with the arguments in an array.
  public convenience init(format: String, argumentArray arguments: [Any]) {
    self.init(FormatParser.side(format, arguments))
  }

  /// The object itself.
  open class func expressionForEvaluatedObject() -> SimulatedNSExpression {
    SimulatedNSExpression(.path([]))
  }

  /// What it comes to for an object, which key-value coding is asked of; variables are those of
  /// `context`.
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

  /// The key path. Traps for another expression.
  open var keyPath: String {
    switch side {
    case .path, .count, .aggregate: return side.text
    default: misuse("the key path of an expression that is none")
    }
  }

  /// The constant. Traps for another expression.
  open var constantValue: Any? {
    switch side {
    case .value(let value): return value
    case .list(let sides): return sides.map { $0.value(of: nil, [:]) ?? NSNull() }
    default: misuse("the constant of an expression that is none")
    }
  }

  /// The name of the function. Traps for another expression.
  open var function: String {
    guard case .function(let name, _) = side else {
      misuse("the function of an expression that is none")
    }
    return name
  }

  /// What the function is of; nil for another expression.
  open var arguments: [SimulatedNSExpression]? {
    guard case .function(_, let sides) = side else { return nil }
    return sides.map { SimulatedNSExpression($0) }
  }

  /// The name of the variable. Traps for another expression.
  open var variable: String {
    switch side {
    case .variable(let name, _), .members(_, let name, _): return name
    default: misuse("the variable of an expression that is none")
    }
  }

  open override var description: String { side.text }

  open override func isEqual(_ object: Any?) -> Bool {
    (object as? SimulatedNSExpression)?.side.text == side.text
  }

  open override var hash: Int { side.text.hashValue }
}
