import Foundation

/// A predicate as a tree of Swift values: what `NSPredicate(format:)` says.
indirect enum Format {
  enum Relation {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    case beginsWith, endsWith, contains, like, matches, isIn, between
  }

  enum Modifier {
    case any, all, none
  }

  enum Side {
    /// A key path; without keys, the object itself.
    case path([String])
    /// The number of members of the to-many relationship at the end of a path.
    case count([String])
    case value(Any?)
    case list([Side])
  }

  struct Options {
    var ignoresCase = false
    var ignoresDiacritics = false
  }

  case constant(Bool)
  case and([Format])
  case or([Format])
  case not(Format)
  case comparison(Side, Relation, Side, Options, Modifier?)

  // MARK: In a predicate

  /// A predicate of Foundation's keeps nothing of ours but a block, which tells its format to this.
  private final class Probe: NSObject {
    var format: Format?
  }

  /// The block of a predicate: tells its format, or evaluates it for an object in memory.
  static func predicate(_ format: Format) -> (Any?) -> Bool {
    { object in
      guard let probe = object as? Probe else { return format.evaluate(with: object) }
      probe.format = format
      return true
    }
  }

  /// The format of a predicate. Traps if it is a block, which no store can be asked by.
  static func of(_ predicate: NSPredicate) -> Format {
    if let compound = predicate as? NSCompoundPredicate {
      let parts = compound.subpredicates.map { Format.of($0) }
      switch compound.compoundPredicateType {
      case .and: return .and(parts)
      case .or: return .or(parts)
      case .not: return .not(.and(parts))
      @unknown default: misuse("a compound predicate of an unknown type")
      }
    }
    let probe = Probe()
    let answer = predicate.evaluate(with: probe)
    if let format = probe.format { return format }
    if predicate.isEqual(NSPredicate(value: answer)) { return .constant(answer) }
    misuse("a store cannot be asked by a predicate that is a block")
  }
}

extension NSPredicate {
  /// A predicate in Core Data's format. Comparisons by `==`, `!=`, `<`, `<=`, `>`, `>=`,
  /// `BEGINSWITH`, `ENDSWITH`, `CONTAINS`, `LIKE`, `IN` and `BETWEEN`, with `[c]` and `[d]`; `ANY`,
  /// `ALL`, `NONE` and `@count` of to-many relationships; key paths, `SELF`, `%K` and `%@`; `AND`,
  /// `OR` and `NOT`. Anything else traps, and is named.
  public convenience init(format: String, _ arguments: Any...) {
    self.init(format: format, argumentArray: arguments)
  }

  /// Likewise, with the arguments in an array.
  public convenience init(format: String, argumentArray arguments: [Any]?) {
    let body = Format.predicate(FormatParser.parse(format, arguments ?? []))
    self.init(block: { object, _ in body(object) })
  }
}
