/// The harm of a violation to an app, most severe first. Reports sort each group by severity.
package enum Severity: Int, Comparable, Sendable {
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
}

extension FailureKind {
  /// The rank by which the failures of one run are sorted. Defects of Faultline come first, then
  /// violations by severity. Among equally severe violations, those at `.stack` come first.
  package var severityRank: Int {
    guard let invariant else { return 0 }
    return 1 + 2 * invariant.severity.rawValue + (site == .stack ? 0 : 1)
  }
}
