package import Failures
import Invariants

/// What a campaign makes of a failure.
package enum Standing: Hashable, Sendable {
  /// It fails the campaign.
  case new
  /// A scenario of the baseline shows it.
  case known
  /// The options of the campaign leave it out.
  case allowed

  package var name: String {
    switch self {
    case .new: "new"
    case .known: "known"
    case .allowed: "left out"
    }
  }
}

/// Failures by their kind or group, as options of a campaign name them.
package enum FailureFilter: Hashable, Sendable {
  case kind(FailureKind)
  case group(FailureGroup)

  /// All that can be named: the groups first.
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

/// Which failures do not fail a campaign: those that its scenarios show, and those that its options
/// leave out.
package struct Baseline {
  package var known: KnownFailures
  /// May occur.
  package var allowed: [FailureFilter]
  /// Where there are any, nothing else fails the campaign.
  package var only: [FailureFilter]

  package init(
    known: KnownFailures = KnownFailures([]), allowed: [FailureFilter] = [],
    only: [FailureFilter] = []
  ) {
    (self.known, self.allowed, self.only) = (known, allowed, only)
  }

  /// Whether failures of this kind are left out, whatever their group is.
  package func leavesOut(_ kind: FailureKind) -> Bool {
    guard kind.invariant != nil else { return false }
    let isOther = only.allSatisfy {
      if case .kind = $0 { !$0.holds(for: kind, nil) } else { false }
    }
    return allowed.contains { $0.holds(for: kind, nil) } || !only.isEmpty && isOther
  }

  /// Whether a failure of this group is told and not counted: what programs do to themselves on a
  /// stack that is designed, unless it is asked for.
  package func onlyTells(_ group: FailureGroup?, onDesign isDesigned: Bool) -> Bool {
    isDesigned && group == .misuse && !only.contains(.group(.misuse))
  }

  /// `precedent` is the scenario that shows the same. A defect is never left out.
  package func standing(
    of kind: FailureKind, _ group: FailureGroup?, _ precedent: KnownFailures.Precedent?
  ) -> Standing {
    guard kind.invariant != nil else { return .new }
    if precedent?.isAccepted == true { return .known }
    if allowed.contains(where: { $0.holds(for: kind, group) }) { return .allowed }
    if only.isEmpty || only.contains(where: { $0.holds(for: kind, group) }) { return .new }
    return .allowed
  }
}
