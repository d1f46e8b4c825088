package import Failures
import Vocabulary

/// What a failure is blamed on. Two failures are one finding exactly if their keys are equal.
package struct Blame: Hashable, Sendable {
  package var identity: FailureIdentity
  /// The part of the design that showed the failure, or without which it does not happen.
  package var part: DesignPart?
  /// The kind of context that showed the failure, where that was noted.
  package var role: ContextRole?
  /// How the objects of the example were changed, where that was noted.
  package var ways: ChangeWays?
  /// The promise that is broken, by its text.
  package var promise: String?

  package init(
    _ identity: FailureIdentity, part: DesignPart?, role: ContextRole? = nil, ways: ChangeWays?,
    promise: String? = nil
  ) {
    self.identity = identity
    self.part = part
    self.role = role
    self.ways = ways
    self.promise = promise
  }

  package var kind: FailureKind { identity.kind }
  package var cause: Cause? { identity.cause }
  package var group: FailureGroup { identity.group(part: part, ways: ways) }
  package var key: FindingKey { FindingKey(self) }
}

/// The features that tell findings apart: the harm, its cause, a broken promise and, where a part
/// of the design is the cause, that part. `KeyRule.table` says which harms, causes and parts count
/// as one, and where the kind of context tells two apart.
package struct FindingKey: Hashable, Sendable {
  package let group: FailureGroup
  package fileprivate(set) var harm: Harm
  package fileprivate(set) var cause: Cause?
  package fileprivate(set) var part: DesignPart?
  package fileprivate(set) var role: ContextRole?
  package let promise: String?

  package enum Harm: Hashable, Sendable {
    case kind(FailureKind)
    /// The same harm in steps of the program and in steps of the design.
    case invariant(Invariant)
    /// The main queue waits for its own requests, or for others.
    case mainQueue(isHeldUp: Bool)
    /// A context shows what is no longer stored, as a copy or in a list.
    case lag(ViolationSite?)
  }

  fileprivate init(_ blame: Blame) {
    (group, harm, cause) = (blame.group, .kind(blame.kind), blame.cause)
    part = blame.cause?.isOfPart == true ? blame.part : nil
    promise = blame.promise
    for rule in KeyRule.table where rule.applies(blame) { rule.simplify(&self, blame) }
  }
}

/// A row of the table of keys: what two findings may differ in and still be one, or what else tells
/// them apart.
package struct KeyRule: Sendable {
  /// The difference that makes no other finding, or that does, and why.
  package let reason: String
  let applies: @Sendable (Blame) -> Bool
  /// Puts the representative of a class into the key.
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
  /// Of two failures that are one finding, the one with the smaller rank tells more. Requests say
  /// why the main queue is blocked, steps of the design fail whatever a program does, and objects
  /// are more than a list of them.
  package var tellingRank: [Int] {
    [
      kind.invariant == .MainQueueKeepsWithinItsBudget ? 1 : 0, kind.site == .stack ? 0 : 1,
      kind.invariant == .ListsShowTheStores ? 1 : 0,
    ]
  }
}

extension FailureIdentity {
  /// A Boolean value that indicates whether both are of one kind, and their causes count as one.
  package func agrees(with other: FailureIdentity) -> Bool {
    let (mine, theirs) = (Blame(self, part: nil, ways: nil), Blame(other, part: nil, ways: nil))
    return kind == other.kind && mine.key.cause == theirs.key.cause
  }
}

extension Blame {
  /// Also where it was not noted.
  fileprivate var isHeldUp: Bool {
    kind.invariant == .MainQueueKeepsWithinItsBudget && ways?.contains(.heldUp) != false
  }
}

extension Cause {
  /// The quirk alone, of a quirk with a policy.
  fileprivate var quirkPastPolicy: Cause? {
    if case .quirkAndPolicy(let quirk, _) = self { .quirk(quirk) } else { nil }
  }
}
