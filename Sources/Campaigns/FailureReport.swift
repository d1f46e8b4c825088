package import Failures
import Determinism
package import Execution
import Generation
import Invariants
import ObjectModel
import PropertyTesting
import Prose
package import Scenario
import ScenarioChecking
package import Shrinking
import SimulatedCoreData
package import Timelines
import Vocabulary

/// One kind of failure that a campaign met.
package struct FailureReport {
  package var kind: FailureKind
  /// The part of the design that showed it, or without which it does not happen; nil if that is no
  /// one part.
  package var part: DesignPart?
  /// How the objects of the example were changed, where that was noted.
  package var ways: ChangeWays?
  /// Of a deadlock: the names of the queues that are waited for, in the order of the cycle.
  package var waits: [String] = []
  /// Nil for a disagreement.
  package var invariant: Invariant? { kind.invariant }
  /// In how many runs, and the number of the first of them, from 1.
  package var count: Int
  package var firstRun: Int
  package var runs: Int
  /// What a run is called.
  package var unit = "program"
  /// What the smallest failing run was generated from, and the model that it ran on.
  package var seed: RunSeed
  package var model: String
  /// What was special about that run; and all of it, with what is rare in any run.
  package var swarm: String
  package var wholeSwarm: String
  package var cause: Cause?
  package var example: Scenario
  /// Steps of the example.
  package var stepCount: Int
  /// Whether a shorter one is possible.
  package var certificate: Certificate
  /// What it is about, with the values that prove it.
  package var details: String?
  /// The scenario that shows this kind with this cause.
  package var precedent: String?
  /// What the campaign makes of it.
  package var standing = Standing.new
  /// The file that keeps its example, or one of the same size.
  package var file: String?
  /// What of the example matters.
  package var explanation: Explanation
  /// The run of the example.
  package var timeline: Timeline
  /// The kind of failure whose example was being shrunk when this one showed; nil if the
  /// campaign's own runs met it.
  package var metWhileShrinking: FailureKind? = nil
  /// How long it took to shrink and to explain; nil if no clock was read.
  package var seconds: Double? = nil
}

extension FailureReport {
  package var identity: FailureIdentity { FailureIdentity(kind, cause) }

  package var blame: Blame { Blame(identity, part: part, ways: ways) }

  /// Whether both are one bug, also a list and a copy that are behind in one context.
  package func isSameBug(as other: FailureReport) -> Bool {
    blame.isSameBug(as: other.blame) || group == other.group && isSameLag(as: other)
  }

  /// Whether a list and a copy are behind in one context for one cause.
  private func isSameLag(as other: FailureReport) -> Bool {
    guard kind != other.kind, cause == other.cause else { return false }
    switch (invariant, other.invariant) {
    case (.ListsShowTheStores, .CopiesAtRestAreCurrent),
      (.CopiesAtRestAreCurrent, .ListsShowTheStores):
      return cause == .design && kind.site == other.kind.site && part == other.part
        && contextName != nil && contextName == other.contextName
    default: return false
    }
  }

  /// The context in which the example shows it.
  private var contextName: String? {
    finding?.context.map { example.stack[$0].name }
  }

  /// Whether it tells more than `other`, which is the same bug: what happens in the design's own
  /// steps does not depend on what a program does, objects are more than a list of them, and a
  /// request is why the main queue is blocked. Otherwise the shorter one does.
  func tellsMore(than other: FailureReport) -> Bool {
    if kind == other.kind { return stepCount < other.stepCount }
    if other.invariant == .MainQueueKeepsWithinItsBudget { return true }
    return kind.site == .stack && other.kind.site != .stack
      || invariant == .CopiesAtRestAreCurrent && other.invariant != invariant
  }

  /// What the run of its example shows of it; nil if that is nothing.
  package var finding: Timeline.Finding? {
    timeline.findings.first { $0.kind == kind }
  }

  /// Whether it fails the campaign.
  package var isNew: Bool { standing == .new }

  package var group: FailureGroup { blame.group }

  /// Its cause; the part of the design, where a part is the cause.
  package var causeText: String? { cause?.text(in: part, waits: waits) }

  /// What would prevent it; nil if nothing that an app can do.
  package var remedy: String? {
    guard let invariant, let site = kind.site else { return nil }
    let happenings = Happenings(in: Program(example).steps, on: example.stack)
    return invariant.definition.remedy(for: cause, at: site, after: happenings)
  }

  /// How often it was met, in words.
  package var frequency: String {
    if let kind = metWhileShrinking {
      return "in no \(unit) of the campaign: met while shrinking '\(kind)'"
    }
    return count == 1
      ? "in one \(unit), number \(grouped(firstRun))"
      : "in \(grouped(count)) \(unit)s, the first of them number \(grouped(firstRun))"
  }

  /// The same in a table.
  package var cell: String { metWhileShrinking == nil ? grouped(count) : "–" }
}

/// A kind of failure as a campaign met it, not looked into.
package struct FailureTally: Hashable, Sendable {
  package var kind: FailureKind
  /// In how many runs.
  package var count: Int
  /// The number of the first of them, from 1.
  package var firstRun: Int
  /// What the smallest was generated from, and the model that it ran on.
  package var seed: RunSeed
  package var model: String
}
