package import Vocabulary

/// Everything that is known of an invariant besides its check. Each has a file in `Definitions`.
package struct InvariantDefinition: Sendable {
  /// What must hold, as a clause without a full stop.
  package let sentence: String
  /// The names of its violations, by where they happen; not empty, in the order of reports.
  package let anomalies: [Anomaly]
  package let severity: Severity
  package let scope: Scope
  package let suspects: Suspects
  /// What would prevent the violation if this is its cause, nil if nothing that an app can do.
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

  /// What would prevent a violation, as advice to the developer of the app: what to do instead, and
  /// the facts that say why it helps. It begins with what applies to a violation at `site`. Nil
  /// where only a change of Core Data would help.
  package func remedy(
    for cause: Cause?, at site: ViolationSite, after happenings: Happenings = []
  ) -> String? {
    cause?.quirk?.remedy
      ?? advice(Circumstances(cause: cause, site: site, happenings: happenings))
  }

  /// What a violation is, with its values, as a sentence without a full stop.
  package func sentence(for terms: ViolationTerms) -> String { wording(terms) }

  /// The name of its violations at `site`, and what is known of them; nil if they are not counted
  /// apart there.
  package func anomaly(at site: ViolationSite) -> Anomaly? {
    anomalies.first { $0.site == site }
  }

  /// What the advice on a violation depends on.
  struct Circumstances {
    let cause: Cause?
    let site: ViolationSite
    let happenings: Happenings
  }

  /// For which stacks an invariant is checked.
  package enum Scope: Sendable {
    case everyStack
    /// For every stack, and more closely for designed ones.
    case everyStackAndMoreForDesigns
    /// For designed stacks only: generated ones promise nothing.
    case designs
  }
}

/// Where a violation happened, as far as that makes it another finding: violations of one
/// invariant between contexts and in a store have different causes.
package enum ViolationSite: Hashable, CaseIterable, Sendable {
  /// Between contexts, or in steps of the program.
  case program
  /// Between a root context and its store.
  case store
  /// In steps that the stack declares: an observer's, or an entry point's. Or in a context that the
  /// stack keeps up to date.
  case stack
}

/// A violation's name in the literature or in bug reports, with what depends on where it happens.
package struct Anomaly: Sendable {
  package let site: ViolationSite
  package let name: String
  /// What it is named after. Another quirk without which it does not happen either is the worse
  /// explanation.
  package let mainSuspect: Cause?
  /// Whether one at `.stack` takes steps that the stack declares.
  package let takesOwnSteps: Bool
  /// Why it cannot happen in a stack, whatever programs do; nil if it can. Rests only on the shape
  /// of the stack, or on the quirks of its system.
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

/// What a violation's sentence is made of, each part as printed text.
package struct ViolationTerms: Sendable {
  /// The invariant's own sentence.
  package var sentence: String
  /// The object, with its property if it is about one; empty if it is about none.
  package var subject: String
  /// The context in which it showed, and the other one that it is about; empty if there is none.
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

  /// What was there or expected, and what came instead; empty if there are no values.
  var first: String { values.first ?? "" }
  var last: String { values.last ?? "" }
}
