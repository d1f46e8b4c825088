/// The harm of a violation to an app, most severe first. Reports sort failures by severity.
package enum Severity: Int, CaseIterable, Comparable, Sendable {
  /// The app hangs, or is stopped.
  case stops
  /// User input is lost, or the store contradicts itself.
  case losesData
  /// A save fails with an error. User input is lost unless the app handles the error.
  case refuses
  /// The app shows outdated data, or bases decisions on it.
  case isStale
  /// Objects are not the ones that code takes them for.
  case confuses
  /// The user interface waits.
  case delays

  package static func < (a: Severity, b: Severity) -> Bool { a.rawValue < b.rawValue }

  /// A Boolean value that indicates whether violations of this severity are warnings by default:
  /// they stop nothing, lose nothing, and make no save fail.
  package var isWarning: Bool { self >= .isStale }

  /// The harm as a heading.
  package var name: String { clause(count: 1) }

  /// The harm as the predicate of a sentence about `count` failures.
  package func clause(count: Int) -> String {
    let s = count == 1 ? "s" : ""
    return switch self {
    case .stops: "stop\(s) the app"
    case .losesData: count == 1 ? "loses data" : "lose data"
    case .refuses: "refuse\(s) a save"
    case .isStale: "show\(s) old data"
    case .confuses: "mistake\(s) objects"
    case .delays: "delay\(s) the user"
    }
  }
}

extension FailureKind {
  /// The rank by which the failures of one run are sorted. Defects of Faultline come first, then
  /// violations by severity. Among equally severe violations, those at `.stack` come first.
  package var severityRank: Int {
    guard let invariant else { return 0 }
    return 1 + 2 * invariant.severity.rawValue + (site == .stack ? 0 : 1)
  }
}
