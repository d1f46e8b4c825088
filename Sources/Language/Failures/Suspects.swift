/// The possible causes of a violation of an invariant, and the conclusion if no intervention
/// prevents it. Every invariant definition has suspects, and `Diagnosis` tries the interventions.
package struct Suspects: Sendable {
  package var scopes: Scopes
  /// Conditions under which the violation is the program's own if no intervention prevents it.
  package var programs: [ProgramsOwn] = []
  package var conclusion = Conclusion.shapeOfStack
  /// The part of the design to name if omitting any single part does not prevent the violation.
  package var namedPart = NamedPart.shown

  /// The kinds of interventions that can reveal a cause.
  package struct Scopes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Quirks, one or two at a time.
    package static let quirks = Scopes(rawValue: 1 << 0)
    /// Merge policies that settle conflicts.
    package static let policies = Scopes(rawValue: 1 << 1)
    /// The error policy, which settles no conflicts.
    package static let errorPolicy = Scopes(rawValue: 1 << 2)
    /// A quirk together with a merge policy.
    package static let quirksWithPolicies = Scopes(rawValue: 1 << 3)
    /// The model: its delete rules, missing inverses and `willSave` hooks.
    package static let model = Scopes(rawValue: 1 << 4)
    /// Steps that bypass the change tracking of contexts.
    package static let bypasses = Scopes(rawValue: 1 << 5)
    /// Several coordinators on one store.
    package static let coordinators = Scopes(rawValue: 1 << 6)
    package static let automaticMerges = Scopes(rawValue: 1 << 7)
    /// The part of the design that takes the store away.
    package static let storeTakers = Scopes(rawValue: 1 << 8)
    /// The part that the run identified because it took the time, saved the value or gave it up.
    package static let knownParts = Scopes(rawValue: 1 << 9)
    /// The part of the design whose own step shows the violation.
    package static let ownSteps = Scopes(rawValue: 1 << 10)
    /// Observers that change the values that contexts show.
    package static let observers = Scopes(rawValue: 1 << 11)
    /// Observers that only save, or only remember IDs.
    package static let savers = Scopes(rawValue: 1 << 12)
    package static let entryPoints = Scopes(rawValue: 1 << 13)
    /// The order of the queues.
    package static let order = Scopes(rawValue: 1 << 14)
    /// A merge that no part of the design makes. A missing merge is named where nothing else
    /// prevents the violation.
    package static let missingMerges = Scopes(rawValue: 1 << 15)
    /// A context shows outdated values, so a missing merge is tried before quirks and policies.
    package static let outdatedCopies = Scopes(rawValue: 1 << 16)
    /// The merge policies of the context that shows the violation, and of its ancestors.
    package static let ownPolicies = Scopes(rawValue: 1 << 17)

    /// Every part of a design.
    package static let parts: Scopes = [.automaticMerges, .observers, .savers, .entryPoints]
    /// Every part of a design, except for parts that only save, because every violation needs a
    /// save. The part that takes the violating step comes first.
    package static let partsButSavers: Scopes = [
      .automaticMerges, .ownSteps, .observers, .entryPoints,
    ]
    package static let usual: Scopes = [.quirks, .policies, .bypasses, .parts, .order]
  }

  /// A condition under which a violation is the program's own.
  package enum ProgramsOwn: Sendable {
    /// The violation needs a merge by the program.
    case merges
    /// The violation needs a refresh by the program.
    case refreshes
    /// The violation needs a rollback by the program, which restores deleted objects (FL-10).
    case rollbacks
    /// All steps are in one context, and none calls an entry point.
    case oneContext
    /// No part of the design took the step that shows the violation.
    case noPart
  }

  package enum Conclusion: Sendable {
    case program, design
    /// Several coordinators or roots if the stack has them, otherwise the program.
    case shapeOfStack
  }

  package enum NamedPart: Sendable {
    /// The part whose step shows the violation.
    case shown
    /// The part whose merges the violation needs, otherwise the part whose step shows it.
    case merger
    /// No part, because the violation does not depend on which part saves second.
    case none
  }

  init(
    _ scopes: Scopes = .usual, programs: [ProgramsOwn] = [],
    conclusion: Conclusion = .shapeOfStack, namedPart: NamedPart = .shown
  ) {
    self.scopes = conclusion == .shapeOfStack ? scopes.union(.coordinators) : scopes
    (self.programs, self.conclusion, self.namedPart) = (programs, conclusion, namedPart)
  }
}
