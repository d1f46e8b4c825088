public import Foundation

/// Stands for `NSExpression`, which Foundation does not carry out on Linux: a key path, a constant,
/// an aggregate of a dictionary request, or one side of a comparison.
open class SimulatedNSExpression: NSObject {
  enum Kind {
    case side(Format.Side)
    case function(String, [SimulatedNSExpression])
  }

  let kind: Kind

  private init(_ kind: Kind) { self.kind = kind }

  /// The value at a key path.
  public convenience init(forKeyPath path: String) {
    self.init(.side(FormatParser.path(path)))
  }

  /// The value of a property.
  public convenience init<Root: NSManagedObject, Value>(forKeyPath path: KeyPath<Root, Value>) {
    self.init(forKeyPath: NSSortDescriptor.key(of: path))
  }

  /// A value.
  public convenience init(forConstantValue value: Any?) {
    self.init(.side(value.map { FormatParser.value($0) } ?? .value(nil)))
  }

  /// Several expressions, as the right side of `IN` and `BETWEEN`.
  public convenience init(forAggregate parts: [SimulatedNSExpression]) {
    self.init(.side(.list(parts.map { $0.side(of: "an aggregate") })))
  }

  /// An aggregate over the rows of a dictionary request: `count:`, `sum:`, `min:`, `max:` or
  /// `average:` of a key path. Others trap when they are fetched.
  public convenience init(forFunction name: String, arguments: [Any]) {
    self.init(
      .function(
        name,
        arguments.map { argument in
          (argument as? SimulatedNSExpression) ?? SimulatedNSExpression(forConstantValue: argument)
        }))
  }

  /// A key path, constant or list in the format of predicates.
  public convenience init(format: String, _ arguments: Any...) {
    self.init(.side(FormatParser.side(format, arguments)))
  }

  /// The object itself.
  open class func expressionForEvaluatedObject() -> SimulatedNSExpression {
    SimulatedNSExpression(.side(.path([])))
  }

  /// The key path. Traps for another expression.
  open var keyPath: String {
    guard case .side(.path(let keys)) = kind else {
      misuse("the key path of an expression that is none")
    }
    return keys.joined(separator: ".")
  }

  /// The constant. Traps for another expression.
  open var constantValue: Any? {
    guard case .side(.value(let value)) = kind else {
      misuse("the constant of an expression that is none")
    }
    return value
  }

  /// The name of the function. Traps for another expression.
  open var function: String {
    guard case .function(let name, _) = kind else {
      misuse("the function of an expression that is none")
    }
    return name
  }

  func side(of place: String) -> Format.Side {
    guard case .side(let side) = kind else {
      misuse("the function '\(function)' in \(place) is not simulated")
    }
    return side
  }
}

/// Stands for `NSComparisonPredicate`, likewise.
open class SimulatedNSComparisonPredicate: NSPredicate {
  /// Which members of a to-many relationship have to fulfil it.
  public enum Modifier: UInt, Sendable {
    /// There is one value.
    case direct = 0
    /// All of them.
    case all = 1
    /// One of them.
    case any = 2
  }

  /// What is compared.
  public enum Operator: UInt, Sendable {
    /// `<`.
    case lessThan = 0
    /// `<=`.
    case lessThanOrEqualTo = 1
    /// `>`.
    case greaterThan = 2
    /// `>=`.
    case greaterThanOrEqualTo = 3
    /// `==`.
    case equalTo = 4
    /// `!=`.
    case notEqualTo = 5
    /// `MATCHES`.
    case matches = 6
    /// `LIKE`.
    case like = 7
    /// `BEGINSWITH`.
    case beginsWith = 8
    /// `ENDSWITH`.
    case endsWith = 9
    /// `IN`.
    case `in` = 10
    /// `CONTAINS`.
    case contains = 99
    /// `BETWEEN`.
    case between = 100

    var relation: Format.Relation {
      switch self {
      case .lessThan: .less
      case .lessThanOrEqualTo: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqualTo: .greaterOrEqual
      case .equalTo: .equal
      case .notEqualTo: .notEqual
      case .like: .like
      case .beginsWith: .beginsWith
      case .endsWith: .endsWith
      case .in: .isIn
      case .contains: .contains
      case .between: .between
      case .matches: .matches
      }
    }
  }

  /// How texts are compared.
  public struct Options: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// From bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// `[c]`.
    public static let caseInsensitive = Options(rawValue: 1)
    /// `[d]`.
    public static let diacriticInsensitive = Options(rawValue: 2)
    /// `[n]`: texts are compared as they are.
    public static let normalized = Options(rawValue: 4)
  }

  /// The left side.
  public let leftExpression: SimulatedNSExpression
  /// The right side.
  public let rightExpression: SimulatedNSExpression
  /// Which members of a to-many relationship have to fulfil it.
  public let comparisonPredicateModifier: Modifier
  /// What is compared.
  public let predicateOperatorType: Operator
  /// How texts are compared.
  public let options: Options

  /// A comparison of two expressions. `matches` traps where a store is asked.
  public init(
    leftExpression left: SimulatedNSExpression, rightExpression right: SimulatedNSExpression,
    modifier: Modifier, type: Operator, options: Options = []
  ) {
    (leftExpression, rightExpression) = (left, right)
    (comparisonPredicateModifier, predicateOperatorType) = (modifier, type)
    self.options = options
    let relation = type.relation
    var marks = Format.Options()
    marks.ignoresCase = options.contains(.caseInsensitive)
    marks.ignoresDiacritics = options.contains(.diacriticInsensitive)
    let body = Format.predicate(
      .comparison(
        left.side(of: "a comparison"), relation, right.side(of: "a comparison"), marks,
        modifier.modifier))
    super.init(block: { object, _ in body(object) })
  }

  /// Traps: predicates are not kept in archives.
  public required init?(coder: NSCoder) { misuse("a predicate in an archive is not simulated") }
}

extension SimulatedNSComparisonPredicate.Modifier {
  fileprivate var modifier: Format.Modifier? {
    switch self {
    case .direct: nil
    case .all: .all
    case .any: .any
    }
  }
}

/// A value of a dictionary request that is computed from rows.
open class NSExpressionDescription: NSPropertyDescription, @unchecked Sendable {
  /// What is computed.
  open var expression: SimulatedNSExpression?
  /// The type of the value.
  open var expressionResultType = NSAttributeType.undefinedAttributeType
  /// The same, under a newer name.
  open var resultType: NSAttributeDescription.AttributeType {
    get { NSAttributeDescription.AttributeType(rawValue: expressionResultType) }
    set { expressionResultType = newValue.rawValue }
  }
}
