/// How closely a run is looked at.
package enum CheckLevel: Sendable {
  /// What must hold in every run, whatever the stack.
  case soundness
  /// As that, with what tells violations of one kind apart (`FailureSignature`).
  case signature
  /// As that, with the proof of every violation.
  case proof
  /// As that, and what a stack's design promises: for designed stacks.
  case design
  /// As that, and counts that are lost, which generated programs lose often and by themselves: for
  /// programs that were written down, or recorded.
  case scenario
  /// As proof, and the updates that code loses in what it makes of its stack.
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
