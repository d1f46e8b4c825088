public import Foundation

/// A comparison of two expressions. Replaces `NSComparisonPredicate`.
open class SimulatedNSComparisonPredicate: NSPredicate, SimulatedPredicate {
  /// The values of a to-many relationship that must match the comparison.
  public enum Modifier: UInt, Sendable {
    /// Compares a single value.
    case direct = 0
    /// Requires all members to match.
    case all = 1
    /// Requires at least one member to match.
    case any = 2
  }

  /// The operator of a comparison.
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

    var relation: PredicateFormat.Relation {
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

  /// The options for the comparison of texts.
  public struct Options: OptionSet, Sendable {
    /// The bits of the options.
    public let rawValue: UInt
    /// Creates options from bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// `[c]`.
    public static let caseInsensitive = Options(rawValue: 1)
    /// `[d]`.
    public static let diacriticInsensitive = Options(rawValue: 2)
    /// `[n]`, which compares texts without normalizing them.
    public static let normalized = Options(rawValue: 4)
  }

  /// The left side of the comparison.
  public let leftExpression: SimulatedNSExpression
  /// The right side of the comparison.
  public let rightExpression: SimulatedNSExpression
  /// The members of a to-many relationship that must match.
  public let comparisonPredicateModifier: Modifier
  /// The operator of the comparison.
  public let predicateOperatorType: Operator
  /// The options for the comparison of texts.
  public let options: Options

  /// Creates a comparison of two expressions.
  public init(
    leftExpression left: SimulatedNSExpression, rightExpression right: SimulatedNSExpression,
    modifier: Modifier, type: Operator, options: Options = []
  ) {
    (leftExpression, rightExpression) = (left, right)
    (comparisonPredicateModifier, predicateOperatorType) = (modifier, type)
    self.options = options
    super.init(block: { _, _ in false })
  }

  /// Creates the predicate of a comparison format.
  convenience init(_ format: PredicateFormat) {
    guard case .comparison(let left, let relation, let right, let marks, let modifier) = format
    else { preconditionFailure("the format \(format.text) is no comparison") }
    var options: Options = []
    if marks.ignoresCase { options.insert(.caseInsensitive) }
    if marks.ignoresDiacritics { options.insert(.diacriticInsensitive) }
    self.init(
      leftExpression: SimulatedNSExpression(left), rightExpression: SimulatedNSExpression(right),
      modifier: Modifier(modifier), type: Operator(relation), options: options)
    isNone = modifier == PredicateFormat.Modifier.none
  }

  /// A Boolean value that indicates whether the modifier is `NONE`, which `Modifier` lacks.
  private var isNone = false

  var format: PredicateFormat {
    var marks = PredicateFormat.Options()
    marks.ignoresCase = options.contains(.caseInsensitive)
    marks.ignoresDiacritics = options.contains(.diacriticInsensitive)
    return .comparison(
      leftExpression.side, predicateOperatorType.relation, rightExpression.side, marks,
      isNone ? PredicateFormat.Modifier.none : comparisonPredicateModifier.modifier)
  }

  open override func evaluate(with object: Any?) -> Bool { format.evaluate(with: object, [:]) }
  open override func evaluate(
    with object: Any?, substitutionVariables variables: [String: Any]?
  ) -> Bool { format.evaluate(with: object, variables ?? [:]) }
  open override var predicateFormat: String { format.text }
  open override var description: String { format.text }
  open override func isEqual(_ object: Any?) -> Bool { isSame(as: object) }
  open override var hash: Int { predicateFormat.hashValue }
  open override func copy(with zone: NSZone? = nil) -> Any { self }

  /// Always traps, because archives of predicates are not simulated.
  public required init?(coder: NSCoder) { misuse("a predicate in an archive is not simulated") }
}

extension SimulatedNSComparisonPredicate.Operator {
  fileprivate init(_ relation: PredicateFormat.Relation) {
    self =
      switch relation {
      case .less: .lessThan
      case .lessOrEqual: .lessThanOrEqualTo
      case .greater: .greaterThan
      case .greaterOrEqual: .greaterThanOrEqualTo
      case .equal: .equalTo
      case .notEqual: .notEqualTo
      case .like: .like
      case .beginsWith: .beginsWith
      case .endsWith: .endsWith
      case .isIn: .in
      case .contains: .contains
      case .between: .between
      case .matches: .matches
      }
  }
}

extension SimulatedNSComparisonPredicate.Modifier {
  fileprivate init(_ modifier: PredicateFormat.Modifier?) {
    self =
      switch modifier {
      case nil, .some(.none): .direct
      case .all: .all
      case .any: .any
      }
  }

  fileprivate var modifier: PredicateFormat.Modifier? {
    switch self {
    case .direct: nil
    case .all: .all
    case .any: .any
    }
  }
}
