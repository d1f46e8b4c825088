import Diagnosis
import Failures
import TestSupport
import Testing
import Vocabulary

/// For each row of `KeyRule.table`, a pair of failures that it joins, and a pair that it must not
/// join.
@Suite struct `A rule of keys` {
  /// Two failures, each by its blame.
  struct Pair: Sendable {
    let blames: [Blame]

    init(_ one: Blame, _ other: Blame) { blames = [one, other] }

    var isOneFinding: Bool { blames[0].key == blames[1].key }
  }

  struct Example: Sendable, CustomTestStringConvertible {
    /// The reason of the rule, or the beginning of that.
    let reason: String
    let joined: Pair
    /// A pair that differs from `joined` only in the condition of the rule.
    let apart: Pair

    var testDescription: String { reason }
  }

  private static func blame(
    _ kind: FailureKind, _ cause: Cause, _ part: String? = nil, _ ways: ChangeWays = [],
    role: ContextRole? = nil
  ) -> Blame {
    Blame(
      FailureIdentity(kind, cause), part: part.map { .entryPoint($0) }, role: role, ways: ways)
  }

  /// A root on the main queue, and a root on a queue of its own.
  private static let roles: [ContextRole] = {
    var stack = Stack()
    for type in [Stack.ConcurrencyType.mainQueue, .privateQueue] {
      stack.contexts.append(
        Stack.Context(
          name: "c", concurrencyType: type, parent: .coordinator(CoordinatorID(0))))
    }
    return stack.contextIDs.map { ContextRole(of: $0, in: stack) }
  }()

  private static let storeTrump = MergePolicy.mergeByPropertyStoreTrump
  private static let objectTrump = MergePolicy.mergeByPropertyObjectTrump
  private static let ignored = Quirk.childSaveIgnoresMergePolicy

  static let examples = [
    Example(
      reason: "Any policy that settles a conflict lets two saves",
      joined: Pair(
        blame("write skew in the store", .mergePolicy(storeTrump)),
        blame("write skew in the store", .mergePolicy(objectTrump))),
      apart: Pair(
        blame("lost update in the store", .mergePolicy(storeTrump)),
        blame("lost update in the store", .mergePolicy(objectTrump)))),
    Example(
      reason: "A part is one cause",
      joined: Pair(
        blame("lost update in the store", .entryPoint, "save"),
        blame("lost update in the store", .severalRoots, "save")),
      apart: Pair(
        blame("lost update in the store", .entryPoint),
        blame("lost update in the store", .severalRoots))),
    Example(
      reason: "A part does one harm",
      joined: Pair(
        blame("raised error", .entryPoint, "save"),
        blame("raised error by the stack", .entryPoint, "save")),
      apart: Pair(
        blame("lost update", .entryPoint, "save"),
        blame("lost update in the store", .entryPoint, "save"))),
    Example(
      reason: "A part that gives up two kinds",
      joined: Pair(
        blame("raised error by the stack", .entryPoint, "save", role: roles[0]),
        blame("raised error by the stack", .entryPoint, "save", role: roles[1])),
      apart: Pair(
        blame("unsaved changes discarded by the stack", .entryPoint, "save", role: roles[0]),
        blame("unsaved changes discarded by the stack", .entryPoint, "save", role: roles[1]))),
    Example(
      reason: "A policy fails saves",
      joined: Pair(
        blame("failed save", .mergePolicy(.error)),
        blame("failed save by the stack", .mergePolicy(.error), "save")),
      apart: Pair(
        blame("raised error", .quirk(.inaccessibleFaultRaises)),
        blame("raised error by the stack", .quirk(.inaccessibleFaultRaises), "save"))),
    Example(
      reason: "Keeping work off the main queue",
      joined: Pair(
        blame("main queue blocked", .entryPoint, "one"),
        blame("store access on the main queue", .observer, "other")),
      apart: Pair(
        blame("main queue blocked", .entryPoint, "one", .heldUp),
        blame("store access on the main queue", .observer, "other"))),
    Example(
      reason: "A list that is behind",
      joined: Pair(blame("stale list", .interleaving), blame("stale copy", .design)),
      apart: Pair(
        blame("stale list", .quirk(.ancestorCacheHidesUpdates)),
        blame("stale copy", .quirk(.ancestorCacheHidesUpdates)))),
    Example(
      reason: "The design allows what one order of its queues shows.",
      joined: Pair(
        blame("object deleted by being read", .interleaving),
        blame("object deleted by being read", .design)),
      apart: Pair(blame("deadlock", .interleaving), blame("deadlock", .design))),
    Example(
      reason: "A quirk that goes past a policy",
      joined: Pair(
        blame("lost update", .quirkAndPolicy(ignored, storeTrump)),
        blame("lost update", .quirkAndPolicy(ignored, objectTrump))),
      apart: Pair(
        blame("lost update", .quirkAndPolicy(ignored, storeTrump)),
        blame("lost update", .quirkAndPolicy(.childSaveIgnoresEqualValues, storeTrump)))),
  ]

  @Test func `each rule of keys has one example`() {
    for rule in KeyRule.table {
      let count = Self.examples.count { rule.reason.hasPrefix($0.reason) }
      #expect(count == 1, "\(rule.reason)")
    }
    #expect(Self.examples.count == KeyRule.table.count)
  }

  @Test(arguments: examples)
  func `a rule of keys joins failures that differ in what it allows`(example: Example) {
    #expect(Set(example.joined.blames).count == 2)
    #expect(example.joined.isOneFinding)
  }

  @Test(arguments: examples) func `a rule of keys joins no other failures`(example: Example) {
    #expect(!example.apart.isOneFinding)
  }
}
