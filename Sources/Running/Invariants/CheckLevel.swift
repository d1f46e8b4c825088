/// Selects the invariants that are checked in a run, and the facts that are noted of a violation.
package enum CheckLevel: Sendable {
  /// The invariants of every stack.
  case soundness
  /// The invariants of every stack, with the signature of each violation (`FailureSignature`).
  case signature
  /// The level `signature`, with the proof of each violation.
  case proof
  /// The level `proof`, with the invariants of designs.
  case design
  /// The level `design`, with the loss of one of two equal counts. Generated programs lose counts
  /// by themselves, so the level is for programs that were written or recorded.
  case scenario
  /// The level `proof`, with the invariants that judge an app's code.
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
