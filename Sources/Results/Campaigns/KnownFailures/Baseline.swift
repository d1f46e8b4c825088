package import Failures
import Invariants

/// The effect of a failure on the result of a campaign.
package enum Standing: Hashable, Sendable {
  /// The failure fails the campaign.
  case new
  /// The failure is reported and does not fail the campaign, because its severity is that of a
  /// warning.
  case warning
  /// A scenario of the baseline shows the failure.
  case known
  /// The options of the campaign leave the failure out.
  case allowed

  package var name: String {
    switch self {
    case .new: "new"
    case .warning: "warning"
    case .known: "known"
    case .allowed: "left out"
    }
  }
}

/// A kind or group of failures, as options of a campaign name it.
package enum FailureFilter: Hashable, Sendable {
  case kind(FailureKind)
  case group(FailureGroup)

  /// Every filter that an option can name, groups first.
  package static let all: [FailureFilter] =
    [.group(.design), .group(.frameworkBehaviour), .group(.misuse)]
    + FailureKind.violations.map { .kind($0) }

  package var name: String {
    switch self {
    case .kind(let kind): kind.name
    case .group(.defect): "defect"
    case .group(.design): "design"
    case .group(.frameworkBehaviour): "framework"
    case .group(.misuse): "misuse"
    }
  }

  fileprivate func holds(for kind: FailureKind, _ group: FailureGroup?) -> Bool {
    switch self {
    case .kind(let wanted): wanted.name == kind.name
    case .group(let wanted): wanted == group
    }
  }
}

/// The failures that do not fail a campaign: failures that its scenarios show, and failures that
/// its options leave out.
package struct Baseline {
  package var known: KnownFailures
  /// Failures that may occur without failing the campaign.
  package var allowed: [FailureFilter]
  /// If not empty, the only failures that can fail the campaign, apart from defects.
  package var only: [FailureFilter]
  /// A Boolean value that indicates whether warnings fail the campaign like other failures.
  package var isStrict: Bool

  package init(
    known: KnownFailures = KnownFailures([]), allowed: [FailureFilter] = [],
    only: [FailureFilter] = [], isStrict: Bool = false
  ) {
    (self.known, self.allowed, self.only) = (known, allowed, only)
    self.isStrict = isStrict
  }

  /// Returns a Boolean value that indicates whether the options leave out failures of this kind,
  /// regardless of their group.
  package func leavesOut(_ kind: FailureKind) -> Bool {
    guard kind.invariant != nil else { return false }
    let isOther = only.allSatisfy {
      if case .kind = $0 { !$0.holds(for: kind, nil) } else { false }
    }
    return allowed.contains { $0.holds(for: kind, nil) } || !only.isEmpty && isOther
  }

  /// Returns a Boolean value that indicates whether failures of this group are reported but not
  /// counted.
  ///
  /// On a designed stack this applies to misuse by the generated program, unless an option requests
  /// misuse.
  package func leavesUncounted(_ group: FailureGroup?, onDesign isDesigned: Bool) -> Bool {
    isDesigned && group == .misuse && !only.contains(.group(.misuse))
  }

  /// Returns the standing of a failure. A defect always fails the campaign, and so does a kind that
  /// the options name with `--only`, whatever its severity.
  ///
  /// - Parameter precedent: The scenario that shows the same failure.
  package func standing(
    of kind: FailureKind, _ group: FailureGroup?, _ precedent: KnownFailures.Precedent?
  ) -> Standing {
    guard let invariant = kind.invariant else { return .new }
    if precedent?.isAccepted == true { return .known }
    if allowed.contains(where: { $0.holds(for: kind, group) }) { return .allowed }
    if only.contains(.kind(kind)) { return .new }
    if !only.isEmpty, !only.contains(where: { $0.holds(for: kind, group) }) { return .allowed }
    return invariant.severity.isWarning && group != .defect && !isStrict ? .warning : .new
  }
}
