/// The invariants that are checked in a run, and the facts that are noted of a violation.
package enum CheckLevel: Sendable {
  /// The invariants of every stack.
  case soundness
  /// The same, with the signature of each violation (`FailureSignature`).
  case signature
  /// The same, with the proof of each violation.
  case proof
  /// The same, and the invariants of designs.
  case design
  /// The same, and the loss of one of two equal counts. Generated programs lose counts by
  /// themselves, so the level is for programs that were written down or recorded.
  case scenario
  /// `proof`, and the invariants that judge the code of an app.
  case code
}

extension CheckLevel {
  package var proves: Bool {
    switch self {
    case .soundness, .signature: false
    case .proof, .design, .scenario, .code: true
    }
  }

  var judgesDesigns: Bool { self == .design || self == .scenario }
}
