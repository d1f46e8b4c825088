/// The harm that a violation does to an app, the worst first: the order of reports within a group.
package enum Severity: Int, Comparable, Sendable {
  /// The app hangs, or is stopped.
  case stops
  /// What a user has entered is gone, or the store contradicts itself.
  case losesData
  /// A save fails and says so: what a user has entered is gone unless the app handles the error.
  case refuses
  /// The app shows, or decides by, what is no longer so.
  case isStale
  /// Objects are not the ones that code takes them for.
  case confuses
  /// The user interface waits.
  case delays

  package static func < (a: Severity, b: Severity) -> Bool { a.rawValue < b.rawValue }
}

extension FailureKind {
  /// The order in which the failures of one run are shown: a defect of Faultline first, then as
  /// severe as they are for an app; of two that are alike, the one that the stack's steps showed.
  package var severityRank: Int {
    guard let invariant else { return 0 }
    return 1 + 2 * invariant.severity.rawValue + (site == .stack ? 0 : 1)
  }
}
