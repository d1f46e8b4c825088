package import Vocabulary

/// The definition of an invariant, except for its check. Each definition has a file in
/// `Definitions`.
package struct InvariantDefinition: Sendable {
  /// The statement that must hold, as a clause without a full stop.
  package let sentence: String
  /// The names of the violations, by site. Not empty, in the order of reports.
  package let anomalies: [Anomaly]
  package let severity: Severity
  package let scope: Scope
  package let suspects: Suspects
  /// Returns a remedy for the violation, or `nil` if an app cannot prevent it.
  private let advice: @Sendable (Circumstances) -> String?
  private let wording: @Sendable (ViolationTerms) -> String

  init(
    _ sentence: String, anomalies: [Anomaly], severity: Severity,
    scope: Scope = .everyStack, suspects: Suspects = Suspects(),
    advice: @escaping @Sendable (Circumstances) -> String?,
    wording: @escaping @Sendable (ViolationTerms) -> String = { $0.detail ?? $0.sentence }
  ) {
    precondition(!anomalies.isEmpty, "a violation needs a name: \(sentence)")
    self.sentence = sentence
    self.anomalies = anomalies
    self.severity = severity
    self.scope = scope
    self.suspects = suspects
    self.advice = advice
    self.wording = wording
  }

  /// Returns advice to the developer of the app: a remedy and the facts that explain it. The advice
  /// begins with the remedy for a violation at `site`. Returns `nil` if only a change of Core Data
  /// would help.
  package func remedy(
    for cause: Cause?, at site: ViolationSite, after priorEvents: PriorEvents = [],
    of subject: FailureSubject? = nil
  ) -> String? {
    cause?.quirk?.remedy
      ?? advice(
        Circumstances(cause: cause, site: site, priorEvents: priorEvents, subject: subject))
  }

  /// Returns a sentence that describes a violation with its values, without a full stop.
  package func sentence(for terms: ViolationTerms) -> String { wording(terms) }

  /// Returns the anomaly for violations at `site`, or `nil` if they are not counted separately
  /// there.
  package func anomaly(at site: ViolationSite) -> Anomaly? {
    anomalies.first { $0.site == site }
  }

  /// The circumstances of a violation on which advice depends.
  struct Circumstances {
    let cause: Cause?
    let site: ViolationSite
    let priorEvents: PriorEvents
    let subject: FailureSubject?

    /// A Boolean value that indicates whether a save fails because of equal unique values. Other
    /// conflicts are about versions of rows.
    var isAboutUniqueValues: Bool { subject?.error == .managedObjectConstraintMerge }

    /// The repair after a save that a conflict made fail, as a clause of advice.
    var conflictRepair: String {
      if isAboutUniqueValues {
        return
          "fetch the objects that already have the unique values, repeat the edits there, delete the duplicates"
      }
      // A refresh does not restore a deleted row.
      return priorEvents.contains(.deletion)
        ? "roll the context back, refresh the conflicting objects, delete those whose rows are gone, and make the "
          + "edits that still apply again"
        : "refresh the conflicting objects"
    }
  }

  /// The stacks for which an invariant is checked.
  package enum Scope: Sendable {
    case everyStack
    /// Every stack, with a closer check for designed stacks.
    case everyStackAndMoreForDesigns
    /// Designed stacks only, because generated stacks promise nothing.
    case designs
  }
}

/// The place of a violation. Violations of one invariant between contexts and in a store are
/// different findings, because their causes differ.
package enum ViolationSite: Hashable, CaseIterable, Sendable {
  /// Between contexts, or in steps of the program.
  case program
  /// Between a root context and its store.
  case store
  /// In steps of an observer or an entry point, or in a context that the stack keeps up to date.
  case stack
}

/// A violation's name in the literature or in bug reports, with the properties that depend on its
/// site.
package struct Anomaly: Sendable {
  package let site: ViolationSite
  package let name: String
  /// The cause after which the anomaly is named. This cause is a better explanation than another
  /// quirk that the violation also needs.
  package let mainSuspect: Cause?
  /// A Boolean value that indicates whether a violation at `.stack` requires steps that the stack
  /// declares.
  package let takesOwnSteps: Bool
  /// Returns the reason that the violation is impossible in a stack, or `nil` if it is possible.
  /// The reason depends only on the shape of the stack and on the quirks.
  package let impossibility: @Sendable (StackShape, QuirkSet) -> String?

  init(
    _ name: String, at site: ViolationSite = .program, mainSuspect: Cause? = nil,
    takesOwnSteps: Bool = true,
    isImpossible impossibility: @escaping @Sendable (StackShape, QuirkSet) -> String? = { _, _ in
      nil
    }
  ) {
    self.site = site
    self.name = name
    self.mainSuspect = mainSuspect
    self.takesOwnSteps = takesOwnSteps
    self.impossibility = impossibility
  }
}

/// The parts of a sentence about a violation, as printed text.
package struct ViolationTerms: Sendable {
  /// The statement of the invariant.
  package var sentence: String
  /// The object, with its property if the violation concerns one. Empty without an object.
  package var subject: String
  /// The context that showed the violation, or empty without a context. `otherContext` is the
  /// second context that the violation concerns.
  package var context: String
  package var otherContext: String?
  package var values: [String]
  package var detail: String?
  package var step: String?

  package init(
    sentence: String, subject: String, context: String, otherContext: String?, values: [String],
    detail: String?, step: String?
  ) {
    self.sentence = sentence
    self.subject = subject
    self.context = context
    self.otherContext = otherContext
    self.values = values
    self.detail = detail
    self.step = step
  }

  /// The value that existed or was expected. `last` is the value that replaced it. Both are empty
  /// if the violation has no values.
  var first: String { values.first ?? "" }
  var last: String { values.last ?? "" }
}
