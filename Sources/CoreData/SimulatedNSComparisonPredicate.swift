public import Foundation

/// Stands for `NSComparisonPredicate`, likewise.
open class SimulatedNSComparisonPredicate: NSPredicate, SimulatedPredicate {
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

  /// A comparison of two expressions.
  public init(
    leftExpression left: SimulatedNSExpression, rightExpression right: SimulatedNSExpression,
    modifier: Modifier, type: Operator, options: Options = []
  ) {
    (leftExpression, rightExpression) = (left, right)
    (comparisonPredicateModifier, predicateOperatorType) = (modifier, type)
    self.options = options
    super.init(block: { _, _ in false })
  }

  /// What a format says.
  convenience init(_ format: Format) {
    guard case .comparison(let left, let relation, let right, let marks, let modifier) = format
    else { preconditionFailure("the format \(format.text) is no comparison") }
    var options: Options = []
    if marks.ignoresCase { options.insert(.caseInsensitive) }
    if marks.ignoresDiacritics { options.insert(.diacriticInsensitive) }
    self.init(
      leftExpression: SimulatedNSExpression(left), rightExpression: SimulatedNSExpression(right),
      modifier: Modifier(modifier), type: Operator(relation), options: options)
    isNone = modifier == Format.Modifier.none
  }

  /// `NONE`, which has no modifier of its own.
  private var isNone = false

  var format: Format {
    var marks = Format.Options()
    marks.ignoresCase = options.contains(.caseInsensitive)
    marks.ignoresDiacritics = options.contains(.diacriticInsensitive)
    return .comparison(
      leftExpression.side, predicateOperatorType.relation, rightExpression.side, marks,
      isNone ? Format.Modifier.none : comparisonPredicateModifier.modifier)
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

  /// Traps: predicates are not kept in archives.
  public required init?(coder: NSCoder) { misuse("a predicate in an archive is not simulated") }
}

extension SimulatedNSComparisonPredicate.Operator {
  fileprivate init(_ relation: Format.Relation) {
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
  fileprivate init(_ modifier: Format.Modifier?) {
    self =
      switch modifier {
      case nil, .some(.none): .direct
      case .all: .all
      case .any: .any
      }
  }

  fileprivate var modifier: Format.Modifier? {
    switch self {
    case .direct: nil
    case .all: .all
    case .any: .any
    }
  }
}
