import Determinism
package import Diagnosis
package import Execution
package import Failures
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
  /// The kind of context in which the example shows it, where that was noted.
  package var role: ContextRole? = nil
  /// How the objects of the example were changed, where that was noted.
  package var ways: ChangeWays?
  /// The promise that is broken, by its text.
  package var promise: String? = nil
  /// Of a deadlock: the names of the queues that are waited for, in the order of the cycle.
  package var waits: [String] = []
  /// Nil for a disagreement.
  package var invariant: Invariant? { kind.invariant }
  /// In how many runs, and the number of the first of them, from 1.
  package var count: Int
  package var firstRun: Int
  package var runs: Int
  /// Where the runs showed it: several parts of the design, or several kinds of contexts.
  package var sightings: Sightings? = nil
  /// What a run is called.
  package var unit = "program"
  /// What the smallest failing run was generated from, and the model that it ran on.
  package var seed: RunSeed
  package var model: String
  /// What was special about that run; and all of it, with what is rare in any run.
  package var swarm: String
  package var wholeSwarm: String
  package var cause: Cause?
  /// The accesses that meet, where nothing can be left out to prevent the failure.
  package var meeting: Meeting?
  /// What else would prevent the failure, each alone; empty if the failure is shown in brief.
  package var furtherCauses: [String] = []
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
  /// The parts of the example that matter; nil if the failure is shown in brief.
  package var explanation: Explanation?
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

  package var blame: Blame { Blame(identity, part: part, role: role, ways: ways, promise: promise) }

  /// Of two failures that are one finding, whether this one tells more.
  func tellsMore(than other: FailureReport) -> Bool {
    if kind == other.kind { return stepCount < other.stepCount }
    return blame.tellingRank.lexicographicallyPrecedes(other.blame.tellingRank)
  }

  /// What the run of its example shows of it; nil if that is nothing.
  package var finding: Timeline.Finding? {
    timeline.findings.first { $0.kind == kind }
  }

  /// Whether it fails the campaign.
  package var isNew: Bool { standing == .new }

  package var group: FailureGroup { blame.group }

  /// Its cause; the part of the design, where a part is the cause.
  package var causeText: String? {
    waits.isEmpty ? meeting?.text ?? cause?.text(in: part) : cause?.text(in: part, waits: waits)
  }

  /// What would prevent it; nil if nothing that an app can do.
  package var remedy: String? {
    guard let invariant, let site = kind.site else { return nil }
    let happenings = Happenings(in: Program(example).steps, on: example.stack)
    return invariant.definition.remedy(for: cause, at: site, after: happenings)
  }

  /// Where the runs showed a failure of the design. What Core Data does by itself, it does in every
  /// context.
  private var sightedPlaces: String? { group == .design ? sightings?.text : nil }

  /// How often it was met, in words.
  package var frequency: String {
    if let kind = metWhileShrinking {
      return "in no \(unit) of the campaign: met while shrinking '\(kind)'"
    }
    return count == 1
      ? "in one \(unit), number \(grouped(firstRun))"
      : "in \(grouped(count)) \(unit)s, the first of them number \(grouped(firstRun))"
        + (sightedPlaces.map { ": \($0)" } ?? "")
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
