package import Failures
import Vocabulary

/// A diagnosed failure with its cause and circumstances. Two failures belong to one finding exactly
/// if their keys are equal.
package struct Blame: Hashable, Sendable {
  package var identity: FailureIdentity
  /// The part of the design that showed the failure or is necessary for it.
  package var part: DesignPart?
  /// The role of the context that showed the failure, if recorded.
  package var role: ContextRole?
  /// The ways in which the objects of the example were changed, if recorded.
  package var ways: ChangeWays?
  package var subject: FailureSubject?
  /// A Boolean value that indicates whether the example's model was generated.
  package var hasGeneratedModel = false

  package init(
    _ identity: FailureIdentity, part: DesignPart?, role: ContextRole? = nil, ways: ChangeWays?,
    subject: FailureSubject? = nil, hasGeneratedModel: Bool = false
  ) {
    self.identity = identity
    self.part = part
    self.role = role
    self.ways = ways
    self.subject = subject
    self.hasGeneratedModel = hasGeneratedModel
  }

  package var kind: FailureKind { identity.kind }
  package var cause: Cause? { identity.cause }
  package var group: FailureGroup {
    identity.group(part: part, ways: ways, hasGeneratedModel: hasGeneratedModel)
  }
  package var key: FindingKey { FindingKey(self) }

  /// The position in reports: defects of Faultline first, then by severity, then by group.
  package var rank: [Int] {
    [group == .defect ? 0 : 1, kind.invariant?.severity.rawValue ?? 0, group.rawValue]
  }
}

/// The features that distinguish findings: the harm, its cause, its subject, and the part of
/// the design if a part is the cause.
///
/// `KeyRule.table` decides which harms, causes and parts count as one, and when the role of the
/// context distinguishes two findings.
package struct FindingKey: Hashable, Sendable {
  package let group: FailureGroup
  package fileprivate(set) var harm: Harm
  package fileprivate(set) var cause: Cause?
  package fileprivate(set) var part: DesignPart?
  package fileprivate(set) var role: ContextRole?
  package let subject: FailureSubject?

  package enum Harm: Hashable, Sendable {
    case kind(FailureKind)
    /// Any violation of the invariant. Violations by program steps and by design steps count as one
    /// harm.
    case invariant(Invariant)
    /// A blocked main queue, which waits for other work if `isHeldUp` is true, otherwise for its
    /// own store requests.
    case mainQueue(isHeldUp: Bool)
    /// A context shows values that are no longer stored, in a copy or in a list.
    case lag(ViolationSite?)
  }

  fileprivate init(_ blame: Blame) {
    (group, harm, cause) = (blame.group, .kind(blame.kind), blame.cause)
    part = blame.cause?.isOfPart == true ? blame.part : nil
    subject = blame.subject
    for rule in KeyRule.table where rule.applies(blame) { rule.simplify(&self, blame) }
  }
}

/// A row of the table of keys. Each rule removes a difference between findings, or adds a feature
/// that distinguishes them.
package struct KeyRule: Sendable {
  /// The difference that the rule removes or adds, with the reason.
  package let reason: String
  let applies: @Sendable (Blame) -> Bool
  /// Replaces parts of the key with the representative of their class.
  let simplify: @Sendable (inout FindingKey, Blame) -> Void

  /// All rules, in the order in which they are applied.
  package static let table: [KeyRule] = [
    KeyRule(
      reason: "Any policy that settles a conflict lets two saves of one row cross.",
      applies: { $0.kind.invariant == .SavesDoNotCross && $0.cause?.isPolicy == true },
      simplify: { key, _ in key.cause = .mergePolicy(.mergeByPropertyObjectTrump) }),
    KeyRule(
      reason: "A part is one cause, whether it was found by omission or took the step itself.",
      applies: { $0.cause?.isOfPart == true && $0.part != nil },
      simplify: { key, _ in key.cause = .design }),
    KeyRule(
      reason: "A part does one harm, to steps of the program and to steps of the design.",
      applies: { $0.cause?.isOfPart == true && $0.part != nil && $0.kind.site != .store },
      simplify: { key, blame in blame.kind.invariant.map { key.harm = .invariant($0) } }),
    KeyRule(
      reason:
        "A part that gives up two kinds of contexts does so in two steps, and each is a loss of its own.",
      applies: { $0.kind == .violation(.ContextsTakeNothingWithThem, at: .stack) },
      simplify: { key, blame in key.role = blame.role }),
    KeyRule(
      reason: "A policy fails saves of the program and of the design alike.",
      applies: { $0.kind.invariant == .SavesMeetNoConflict && $0.cause?.isOfPart == false },
      simplify: { key, _ in key.harm = .invariant(.SavesMeetNoConflict) }),
    KeyRule(
      reason: "Keeping work off the main queue mends its requests, whichever part makes them.",
      applies: { $0.cause?.isOfPart == true && $0.kind.invariant?.isAboutMainQueue == true },
      simplify: { key, blame in
        (key.harm, key.cause, key.part) = (.mainQueue(isHeldUp: blame.isHeldUp), .design, nil)
      }),
    KeyRule(
      reason: "A list that is behind shows what its context's copies show.",
      applies: {
        [.ListsShowTheStores, .CopiesAtRestAreCurrent].contains($0.kind.invariant)
          && ($0.cause == .design || $0.cause == .interleaving)
      },
      simplify: { key, blame in key.harm = .lag(blame.kind.site) }),
    KeyRule(
      reason:
        "The design allows what one order of its queues shows. Deadlocks differ by order: a queue that waits for itself is another one than two that wait for each other.",
      applies: { $0.cause == .interleaving && $0.kind.invariant != .WaitForGraphIsAcyclic },
      simplify: { key, _ in key.cause = .design }),
    KeyRule(
      reason: "A quirk that goes past a policy is one, whichever policy it goes past.",
      applies: { $0.kind.invariant != .WaitForGraphIsAcyclic && $0.cause?.quirkPastPolicy != nil },
      simplify: { key, blame in key.cause = blame.cause?.quirkPastPolicy }),
  ]
}

extension Blame {
  /// A rank that selects the more informative of two failures of one finding, which has the smaller
  /// rank.
  ///
  /// A store request explains why the main queue is blocked. A failing design step fails with any
  /// program. An outdated object is more specific than an outdated list.
  package var tellingRank: [Int] {
    [
      kind.invariant == .MainQueueKeepsWithinItsBudget ? 1 : 0, kind.site == .stack ? 0 : 1,
      kind.invariant == .ListsShowTheStores ? 1 : 0,
    ]
  }
}

extension FailureIdentity {
  /// Returns a Boolean value that indicates whether both identities have one kind and causes that
  /// count as one.
  package func agrees(with other: FailureIdentity) -> Bool {
    let (mine, theirs) = (Blame(self, part: nil, ways: nil), Blame(other, part: nil, ways: nil))
    return kind == other.kind && mine.key.cause == theirs.key.cause
  }
}

extension Blame {
  /// A Boolean value that indicates whether the main queue exceeds its budget by waiting for other
  /// work. True if the run did not record the reason.
  fileprivate var isHeldUp: Bool {
    kind.invariant == .MainQueueKeepsWithinItsBudget && ways?.contains(.heldUp) != false
  }
}

extension Cause {
  /// The quirk alone, if the cause is a quirk with a policy.
  fileprivate var quirkPastPolicy: Cause? {
    if case .quirkAndPolicy(let quirk, _) = self { .quirk(quirk) } else { nil }
  }
}
