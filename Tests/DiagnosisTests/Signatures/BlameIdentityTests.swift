import Diagnosis
import Failures
import TestSupport
import Testing
import Vocabulary

/// Conditions under which two failures are one bug.
@Suite struct `The blame that failures share` {
  /// A rule without a reason could not be reviewed.
  @Test func `every rule of blame has a name and a reason`() {
    #expect(Set(CauseRule.table.map(\.name)).count == CauseRule.table.count)
    for rule in CauseRule.table { #expect(rule.reason.hasSuffix("."), "\(rule.name)") }
    for rule in KeyRule.table { #expect(rule.reason.hasSuffix("."), "\(rule.reason)") }
  }

  @Test func `a list and a copy that lag in one site are one bug`() {
    #expect(isSame("stale list", [], as: "stale copy", [], .design, in: nil, .design))
    #expect(
      !isSame(
        "stale list", [], as: "stale copy in a following context", [], .design, in: nil, .design))
    #expect(!isSame("stale list", [], as: "stale copy", [], .automaticMerge, in: nil, .design))
  }

  private static let part = DesignPart.entryPoint("save")

  private func isSame(
    _ one: FailureKind, _ ways: ChangeWays, as other: FailureKind, _ others: ChangeWays = [],
    _ cause: Cause = .entryPoint, in part: DesignPart? = part, _ own: Cause? = nil
  ) -> Bool {
    let one = Blame(
      FailureIdentity(one, own ?? cause), part: own == nil ? Self.part : part, ways: ways)
    let other = Blame(FailureIdentity(other, cause), part: part, ways: others)
    return one.key == other.key
  }

  /// Requests of the main queue are reported already. Its waits for others are not.
  @Test func `a blocked main queue and its request are one bug unless it waits`() {
    let requests: FailureKind = "store access on the main queue"
    let blocked: FailureKind = "main queue blocked"
    #expect(isSame(blocked, [], as: requests))
    #expect(isSame(blocked, [], as: requests, in: .entryPoint("other")))
    #expect(!isSame(blocked, .heldUp, as: requests))
    #expect(!isSame(blocked, [], as: blocked, .heldUp))
    #expect(isSame(blocked, .heldUp, as: blocked, .heldUp, in: .entryPoint("other")))
    #expect(!isSame(blocked, [], as: "stale list"))
  }

  @Test func `the program's steps and the design's can fail by one bug`() {
    #expect(isSame("raised error", [], as: "raised error by the stack"))
    #expect(!isSame("raised error", [], as: "raised error by the stack", in: .entryPoint("b")))
    #expect(!isSame("raised error", [], as: "raised error by the stack", [], .design, in: nil))
    #expect(isSame("failed save", [], as: "failed save by the stack", [], .mergePolicy(.error)))
    #expect(!isSame("lost update", [], as: "lost update in the store"))
  }

  @Test func `saves that fail by versions and by unique values are two findings`() {
    func key(_ code: ErrorCode) -> FindingKey {
      let identity = FailureIdentity("failed save by the stack", .mergePolicy(.error))
      return Blame(identity, part: nil, ways: [], subject: .error(code)).key
    }
    #expect(key(.managedObjectMerge) != key(.managedObjectConstraintMerge))
    #expect(key(.managedObjectMerge) == key(.managedObjectMerge))
  }

  @Test func `any two policies that settle a conflict are one cause`() {
    func isSame(_ kind: FailureKind, _ cause: Cause) -> Bool {
      let ours = FailureIdentity(kind, .mergePolicy(.mergeByPropertyStoreTrump))
      return Blame(ours, part: nil, ways: []).key
        == Blame(FailureIdentity(kind, cause), part: nil, ways: []).key
    }
    #expect(isSame("write skew in the store", .mergePolicy(.mergeByPropertyObjectTrump)))
    #expect(!isSame("write skew in the store", .design))
    #expect(!isSame("lost update in the store", .mergePolicy(.mergeByPropertyObjectTrump)))
  }
}
