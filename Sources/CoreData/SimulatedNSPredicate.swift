public import Foundation

/// A predicate that says what it asks: what stores can be asked by.
protocol SimulatedPredicate: NSPredicate {
  var format: Format { get }
}

/// Gives `NSPredicate` its initializers with a format: Foundation has none on Linux. An initializer
/// of a protocol may answer with an object of a subclass, as Apple's do.
public protocol SimulatedPredicateFormat {}

extension NSPredicate: SimulatedPredicateFormat {}

extension SimulatedPredicateFormat where Self: NSPredicate {
  /// A predicate in Core Data's format. Comparisons by `==`, `!=`, `<`, `<=`, `>`, `>=`,
  /// `BEGINSWITH`, `ENDSWITH`, `CONTAINS`, `LIKE`, `MATCHES`, `IN` and `BETWEEN`, with `[c]` and
  /// `[d]`; `ANY`, `ALL`, `NONE`, `SUBQUERY(…).@count`, `@count`, `@sum`, `@min`, `@max` and `@avg`
  /// of to-many relationships; `+`, `-`, `*`, `lowercase:`, `uppercase:` and `length`; key paths,
  /// `SELF`, `entity`, `%K`, `%@` and variables; `AND`, `OR` and `NOT`. Anything else traps, and is
  /// named.
  public init(format: String, _ arguments: Any...) {
    self.init(format: format, argumentArray: arguments)
  }

  /// Likewise, with the arguments in an array.
  public init(format: String, argumentArray arguments: [Any]?) {
    let made = FormatPredicate.make(FormatParser.parse(format, arguments ?? []))
    guard let predicate = made as? Self else {
      misuse("\"\(format)\" is no \(Self.self)")
    }
    self = predicate
  }

  /// Likewise, with arguments that `withVaList` or `getVaList` handed on.
  public init(format: String, arguments: SimulatedCVaListPointer) {
    self.init(format: format, argumentArray: arguments.arguments)
  }
}

extension NSPredicate {
  /// A predicate that nothing fulfils. Apple's raises when it is evaluated.
  public convenience init(_: Void = ()) { self.init(value: false) }

  /// The predicate with the values of variables.
  public func withSubstitutionVariables(_ variables: [String: Any]) -> NSPredicate {
    FormatPredicate.make(Format.of(self).substituting(variables))
  }
}

/// `TRUEPREDICATE` and the like.
final class FormatPredicate: NSPredicate, SimulatedPredicate {
  let format: Format

  private init(_ format: Format) {
    self.format = format
    super.init(block: { object, variables in format.evaluate(with: object, variables ?? [:]) })
  }

  required init?(coder: NSCoder) { misuse("a predicate in an archive is not simulated") }

  /// Of the class that Apple's parser makes.
  static func make(_ format: Format) -> NSPredicate {
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
  /// Whether another predicate asks the same.
  func isSame(as object: Any?) -> Bool {
    guard let other = object as? NSPredicate else { return false }
    return self === other
      || (other is any SimulatedPredicate || other is NSCompoundPredicate)
        && format.text == Format.of(other).text
  }
}

/// Stands for `NSCompoundPredicate`, whose text Foundation does not have on Linux.
open class SimulatedNSCompoundPredicate: NSCompoundPredicate, SimulatedPredicate {
  var format: Format {
    let parts = subpredicates.map { Format.of($0) }
    switch compoundPredicateType {
    case .and: return .and(parts)
    case .or: return .or(parts)
    case .not: return .not(parts.count == 1 ? parts[0] : .and(parts))
    @unknown default: misuse("a compound predicate of an unknown type")
    }
  }

  /// All of these.
  public convenience init(andPredicateWithSubpredicates parts: [NSPredicate]) {
    self.init(type: .and, subpredicates: parts)
  }

  /// One of these.
  public convenience init(orPredicateWithSubpredicates parts: [NSPredicate]) {
    self.init(type: .or, subpredicates: parts)
  }

  /// Not this one.
  public convenience init(notPredicateWithSubpredicate part: NSPredicate) {
    self.init(type: .not, subpredicates: [part])
  }

  /// Of subpredicates.
  public override init(type: LogicalType, subpredicates: [NSPredicate]) {
    super.init(type: type, subpredicates: subpredicates)
  }

  /// Traps: predicates are not kept in archives.
  public required init?(coder: NSCoder) { misuse("a predicate in an archive is not simulated") }

  open override var predicateFormat: String { Format.of(self).text }
  open override var description: String { Format.of(self).text }
  open override func isEqual(_ object: Any?) -> Bool { isSame(as: object) }
  open override var hash: Int { predicateFormat.hashValue }
  open override func copy(with zone: NSZone? = nil) -> Any { self }
}
