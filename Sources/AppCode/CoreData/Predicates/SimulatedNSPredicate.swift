public import Foundation

/// A predicate that provides its format, which stores can evaluate.
protocol SimulatedPredicate: NSPredicate {
  var format: PredicateFormat { get }
}

/// Adds format initializers to `NSPredicate`, which Foundation lacks on Linux. An initializer in a
/// protocol extension can return an object of a subclass, as Apple's initializers do.
public protocol SimulatedPredicateFormat {}

extension NSPredicate: SimulatedPredicateFormat {}

extension SimulatedPredicateFormat where Self: NSPredicate {
  /// Creates a predicate from Core Data's predicate format.
  ///
  /// The format supports:
  /// - The operators `==`, `!=`, `<`, `<=`, `>`, `>=`, `IN` and `BETWEEN`.
  /// - The text operators `BEGINSWITH`, `ENDSWITH`, `CONTAINS`, `LIKE` and `MATCHES`, with `[c]`
  ///   and `[d]`.
  /// - `ANY`, `ALL`, `NONE`, `SUBQUERY(…).@count`, `@count`, `@sum`, `@min`, `@max` and `@avg` of
  ///   to-many relationships.
  /// - `+`, `-`, `*`, `lowercase:`, `uppercase:` and `length`.
  /// - Key paths, `SELF`, `entity`, `%K`, `%@` and variables.
  /// - `AND`, `OR` and `NOT`.
  ///
  /// Other elements trap with a message that names them.
  public init(format: String, _ arguments: Any...) {
    self.init(format: format, argumentArray: arguments)
  }

  /// Creates a predicate from a format, with the arguments in an array.
  public init(format: String, argumentArray arguments: [Any]?) {
    let made = FormatPredicate.make(FormatParser.parse(format, arguments ?? []))
    guard let predicate = made as? Self else {
      misuse("\"\(format)\" is not a format of \(Self.self)")
    }
    self = predicate
  }

  /// Creates a predicate from a format, with arguments from `withVaList` or `getVaList`.
  public init(format: String, arguments: SimulatedCVaListPointer) {
    self.init(format: format, argumentArray: arguments.arguments)
  }
}

extension NSPredicate {
  /// Creates a predicate that nothing matches. Apple's predicate raises an exception when
  /// evaluated.
  public convenience init(_: Void = ()) { self.init(value: false) }

  /// Returns the predicate with variables replaced by their values.
  public func withSubstitutionVariables(_ variables: [String: Any]) -> NSPredicate {
    FormatPredicate.make(PredicateFormat.of(self).substituting(variables))
  }
}

/// A predicate with a constant result, such as `TRUEPREDICATE`.
final class FormatPredicate: NSPredicate, SimulatedPredicate {
  let format: PredicateFormat

  private init(_ format: PredicateFormat) {
    self.format = format
    super.init(block: { object, variables in format.evaluate(with: object, variables ?? [:]) })
  }

  required init?(coder: NSCoder) { misuse("a predicate in an archive is not simulated") }

  /// Returns a predicate of the class that Apple's parser would create.
  static func make(_ format: PredicateFormat) -> NSPredicate {
    switch format {
    case .constant: FormatPredicate(format)
    case .and(let parts): SimulatedNSCompoundPredicate(type: .and, subpredicates: parts.map(make))
    case .or(let parts): SimulatedNSCompoundPredicate(type: .or, subpredicates: parts.map(make))
    case .not(let part): SimulatedNSCompoundPredicate(type: .not, subpredicates: [make(part)])
    case .comparison: SimulatedNSComparisonPredicate(format)
    }
  }

  override func evaluate(with object: Any?) -> Bool { format.evaluate(with: object, [:]) }
  override func evaluate(with object: Any?, substitutionVariables: [String: Any]?) -> Bool {
    format.evaluate(with: object, substitutionVariables ?? [:])
  }
  override var predicateFormat: String { format.text }
  override var description: String { format.text }
  override func isEqual(_ object: Any?) -> Bool { isSame(as: object) }
  override var hash: Int { format.text.hashValue }
  override func copy(with zone: NSZone? = nil) -> Any { self }
}

extension SimulatedPredicate {
  /// Returns whether another predicate has the same format.
  func isSame(as object: Any?) -> Bool {
    guard let other = object as? NSPredicate else { return false }
    return self === other
      || (other is any SimulatedPredicate || other is NSCompoundPredicate)
        && format.text == PredicateFormat.of(other).text
  }
}

/// A compound of predicates. Replaces `NSCompoundPredicate`, which has no format text on Linux.
open class SimulatedNSCompoundPredicate: NSCompoundPredicate, SimulatedPredicate {
  var format: PredicateFormat {
    let parts = subpredicates.map { PredicateFormat.of($0) }
    switch compoundPredicateType {
    case .and: return .and(parts)
    case .or: return .or(parts)
    case .not: return .not(parts.count == 1 ? parts[0] : .and(parts))
    @unknown default: misuse("a compound predicate of an unknown type")
    }
  }

  /// Creates a predicate that requires all subpredicates.
  public convenience init(andPredicateWithSubpredicates parts: [NSPredicate]) {
    self.init(type: .and, subpredicates: parts)
  }

  /// Creates a predicate that requires at least one subpredicate.
  public convenience init(orPredicateWithSubpredicates parts: [NSPredicate]) {
    self.init(type: .or, subpredicates: parts)
  }

  /// Creates a predicate that negates another.
  public convenience init(notPredicateWithSubpredicate part: NSPredicate) {
    self.init(type: .not, subpredicates: [part])
  }

  /// Creates a compound predicate.
  public override init(type: LogicalType, subpredicates: [NSPredicate]) {
    super.init(type: type, subpredicates: subpredicates)
  }

  /// Always traps, because archives of predicates are not simulated.
  public required init?(coder: NSCoder) { misuse("a predicate in an archive is not simulated") }

  open override var predicateFormat: String { PredicateFormat.of(self).text }
  open override var description: String { PredicateFormat.of(self).text }
  open override func isEqual(_ object: Any?) -> Bool { isSame(as: object) }
  open override var hash: Int { predicateFormat.hashValue }
  open override func copy(with zone: NSZone? = nil) -> Any { self }
}
