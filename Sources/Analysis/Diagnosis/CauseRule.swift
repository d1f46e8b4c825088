import Execution
package import Failures
import Invariants
import ObjectModel
import Vocabulary

/// A row of the table of causes, with the interventions to try and the reason for its position.
package struct CauseRule: Sendable {
  /// The name of the rule, for tests and for readers of the table.
  package let name: String
  /// The reason for the position of the rule in the table.
  package let reason: String
  /// The scopes that the invariant's suspects must contain. Empty if the rule applies to every
  /// invariant.
  let scope: Suspects.Scopes
  /// Returns the cause that the rule finds in an experiment, or nil to continue with the next rule.
  let judge: @Sendable (Experiment) -> Cause?

  private init(
    _ name: String, _ scope: Suspects.Scopes = [], because reason: String,
    judge: @escaping @Sendable (Experiment) -> Cause?
  ) {
    (self.name, self.scope, self.reason, self.judge) = (name, scope, reason, judge)
  }

  /// Creates a rule whose cause is that of the first intervention that prevents the failure.
  private init(
    _ name: String, _ scope: Suspects.Scopes = [], because reason: String,
    firstOf interventions: @escaping @Sendable (Experiment) -> [Intervention]
  ) {
    self.init(name, scope, because: reason) { $0.first(of: interventions($0))?.cause }
  }

  /// All rules, in the order in which they are tried. To add a cause, add its intervention to
  /// `Experiment+Interventions` and a row here.
  package static let table: [CauseRule] = [
    CauseRule(
      "planted bug", because: "A defect of the engine explains everything that it changes.",
      firstOf: \.plantedBugs),
    CauseRule(
      "named bypass", because: "The kind of failure is named after these steps.",
      firstOf: \.namedBypasses),
    CauseRule(
      "repeated insertion",
      because: "No fact says what becomes of an object that is inserted twice: it is misuse."
    ) { $0.first(of: [.omitting(.repeatedInsertions, .program)])?.cause },
    CauseRule(
      "model", .model,
      because: "A rule of the model fails under every stack, unless the program refreshed first.",
      judge: \.causeInTheModel),
    CauseRule(
      "error policy", .errorPolicy,
      because: "A conflict fails a save only if no policy settles it.",
      firstOf: { _ in [.settlingErrors] }),
    CauseRule(
      "taker of a store", .storeTakers,
      because: "A step finds no object because another part has taken its store.",
      judge: { $0.isShownByDesign ? $0.storeTaker?.cause : nil }),
    CauseRule(
      "missing merge", .outdatedCopies,
      because: "A merge updates what a context shows, whatever else has to do with its age.",
      judge: { $0.missingMerge == nil ? nil : .design }),
    CauseRule(
      "own policy", .ownPolicies,
      because: "Without the policy, the save that drops what the context shows would fail.",
      firstOf: \.ownPolicies),
    CauseRule(
      "quirk", .quirks, because: "What the framework does by itself, no design of the app causes.",
      judge: \.quirk),
    CauseRule(
      "merge policy", .policies,
      because: "A policy that settles a conflict hides what the error policy reports.",
      firstOf: { $0.policies() }),
    CauseRule(
      "two policies", .policies,
      because: "Where the saves can come in either order, each order has its own policy.",
      firstOf: \.pairsOfPolicies),
    CauseRule(
      "named quirk with a policy", .quirksWithPolicies,
      because:
        "Where a policy would do what the quirk does, neither the saving part nor its time matters.",
      firstOf: { test in test.namedQuirks.flatMap { test.policies(beside: $0) } }),
    CauseRule(
      "bypass", .bypasses,
      because: "No merge and no observer causes what the contexts never saw.",
      firstOf: { _ in Bypass.allCases.map { .omitting(.bypass($0), .program, as: .bypass($0)) } }),
    CauseRule(
      "coordinators", .coordinators,
      because: "Two row caches of one store differ whichever part reads.",
      firstOf: { _ in [Intervention(.severalCoordinators, .useOneCoordinator)] }),
    CauseRule(
      "own step", .ownSteps, because: "A step of the design that fails is the design's.",
      judge: { $0.isShownByDesign ? $0.target.detail?.part?.asCause : nil }),
    CauseRule(
      "automatic merge", .automaticMerges,
      because: "A context that merges by itself needs no other part for it.",
      firstOf: \.automaticMerges),
    CauseRule(
      "known part", .knownParts,
      because: "The run says which part did it; without another part, the order may change.",
      judge: { $0.target.detail?.part?.asCause }),
    CauseRule(
      "observer", .observers,
      because: "Observers that change contexts come before those that save.",
      firstOf: { $0.observers }),
    CauseRule(
      "entry point", .entryPoints,
      because: "Programs call entry points; only those whose steps show the failure are at fault.",
      firstOf: { $0.isShownByDesign ? [.omittingCalls] : [] }),
    CauseRule(
      "order", .order, because: "An order is the cause only if another order prevents the failure.",
      judge: {
        $0.dependsOnOrder ? .interleaving : nil
      }
    ),
    CauseRule(
      "two quirks", .quirks, because: "Each of two quirks may be enough alone.",
      judge: { test in test.pairsOfQuirks.first(where: test.isCured)?.cause }),
    CauseRule(
      "quirk with a policy", .quirksWithPolicies, because: "Each of the two may be enough alone.",
      firstOf: { test in test.suspectedQuirks.flatMap { test.policies(beside: $0) } }),
    CauseRule(
      "conclusion", because: "Nothing can be left out to prevent the failure.",
      judge: \.conclusion),
  ]
}

extension Experiment {
  /// Returns the first intervention that prevents the failure.
  func first(of interventions: [Intervention]) -> Intervention? {
    interventions.first(where: isPrevented)
  }

  /// The cause of the failure. Nil for a disagreement that no planted bug explains, because a
  /// disagreement is not a failure of the program.
  ///
  /// - Complexity: About ten runs, and up to 24 times as many for an interleaved program.
  package var cause: Cause? { cause(by: CauseRule.table) }

  /// Returns the cause of the failure according to the given rules of the table.
  package func cause(by rules: [CauseRule]) -> Cause? {
    for rule in suspects == nil ? Array(rules.prefix(1)) : rules
    where suspects?.scopes.isSuperset(of: rule.scope) != false {
      if let cause = rule.judge(self) { return cause }
    }
    return nil
  }

  /// The suspects of the violated invariant. Nil for a disagreement.
  var suspects: Suspects? { target.kind.invariant?.definition.suspects }

  var isShownByDesign: Bool { target.kind.site == .stack }

  // MARK: Experiments of their own

  /// Returns a Boolean value that indicates whether the intervention prevents the failure without
  /// making a save fail.
  ///
  /// If merge policies are suspects, a failing save is accepted, because the conflict's error
  /// prevents the lost update.
  func isCured(by intervention: Intervention) -> Bool {
    isPrevented(by: intervention)
      && (suspects?.scopes.contains(.policies) == true || !makesSavesFail(intervention))
  }

  fileprivate var causeInTheModel: Cause? {
    if isPrevented(by: .omitting(.refreshes, .program)) { return nil }
    let interventions = [
      Intervention(.noActionRule, .nullifyReferences), Intervention(.missingInverse, .giveInverses),
      Intervention(.willSave, .omitWillSave),
    ]
    return first(of: interventions)?.cause ?? (dangles ? .missingInverse : nil)
  }

  /// A Boolean value that indicates whether the violation shows a dangling relationship that can
  /// have no inverse. A single context must have known the reference and deleted its destination.
  private var dangles: Bool {
    unchanged.violations.contains { violation in
      guard violation.kind == target.kind, let object = violation.object,
        let property = violation.property
      else { return false }
      // The last line of the proof states the stored value. The reference and the deletion precede
      // it.
      let contexts = violation.proof.dropLast().map(\.context)
      return program.model.canBeGivenNoInverse(object.entity, property)
        && violation.proof.contains { $0.operation == .deletes }
        && contexts.count == 2 && contexts[0] == contexts[1]
    }
  }

  /// The first suspected quirk without which the failure does not happen.
  ///
  /// Under `childSaveIgnoresMergePolicy` no policy settles a child's save. If the failure also
  /// needs a merge policy, that policy settled a root's save and is the cause.
  fileprivate var quirk: Cause? {
    let quirks = suspectedQuirks.map { Intervention(.quirk($0), .turnOff($0)) }
    let found = quirks.first(where: isCured)
    guard found?.cause == .quirk(.childSaveIgnoresMergePolicy),
      suspects?.scopes.contains(.policies) == true
    else { return found?.cause }
    return first(of: policies())?.cause ?? found?.cause
  }

  fileprivate var conclusion: Cause? {
    guard let suspects else { return nil }
    if isProgramsOwn { return .program }
    switch suspects.conclusion {
    case .program: return .program
    case .design: return .design
    case .shapeOfStack:
      if program.stack.coordinators.count > 1 { return .severalCoordinators }
      let roots = program.stack.contextIDs.count { program.stack.parent(of: $0) == nil }
      return roots > 1 ? .severalRoots : .program
    }
  }

  /// A Boolean value that indicates whether the generated program itself causes the violation.
  var isProgramsOwn: Bool { suspects?.programs.contains(where: isProgramsOwn) == true }

  private func isProgramsOwn(_ action: Suspects.ProgramsOwn) -> Bool {
    switch action {
    case .merges: isPrevented(by: .omitting(.merges, .program))
    case .refreshes: isPrevented(by: .omitting(.refreshes, .program))
    case .rollbacks: isPrevented(by: .omitting(.rollbacks, .program))
    case .oneContext: program.isInOneContext
    case .noPart: target.detail?.part == nil
    }
  }
}

extension Program {
  /// A Boolean value that indicates whether all steps are in one context and no step calls an entry
  /// point.
  fileprivate var isInOneContext: Bool {
    guard let context = steps.first?.context else { return false }
    return steps.allSatisfy { step in
      !step.contains { $0.context != context || StepSort.calls.includes($0.step) }
    }
  }
}
