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

/// A failure that a campaign found, with its example, cause and certificate.
package struct FailureReport {
  package var kind: FailureKind
  /// The part of the design that showed the failure or is necessary for it. Nil if that is no
  /// single part.
  package var part: DesignPart?
  /// The role of the context in which the example shows the failure, if recorded.
  package var role: ContextRole? = nil
  /// The ways in which the objects of the example were changed, if recorded.
  package var ways: ChangeWays?
  package var subject: FailureSubject? = nil
  /// The names of the queues in the cycle of a deadlock, in the order of the cycle.
  package var waits: [String] = []
  /// The violated invariant. Nil for a disagreement.
  package var invariant: Invariant? { kind.invariant }
  /// The number of runs that showed the failure. `firstRun` is the number of the first of them,
  /// from 1. `runs` is the number of all runs.
  package var count: Int
  package var firstRun: Int
  package var runs: Int
  /// The parts of the design and the kinds of contexts in which runs showed the failure.
  package var sightings: Sightings? = nil
  /// The noun for a run in the text of the report.
  package var unit = "program"
  /// The seed of the smallest failing run. `model` is the name of the model on which it ran.
  package var seed: RunSeed
  package var model: String
  /// The unusual features of that run. `wholeSwarm` also lists the features that are rare in any
  /// run.
  package var swarm: String
  package var wholeSwarm: String
  package var cause: Cause?
  /// The accesses that meet, if no omission prevents the failure.
  package var accesses: ConflictingAccesses?
  /// Other interventions that prevent the failure, each of them alone. Empty if the report shows
  /// the failure in brief.
  package var furtherCauses: [String] = []
  package var example: Scenario
  /// The number of steps of the example.
  package var stepCount: Int
  /// The evidence that no shorter example exists, if any.
  package var certificate: Certificate
  /// The details of the failure, with the values that prove it.
  package var details: String?
  /// The path of the scenario that shows this kind of failure with this cause.
  package var precedent: String?
  /// The effect of the failure on the result of the campaign.
  package var standing = Standing.new
  /// The file that keeps the example, or an example of the same size.
  package var file: String?
  /// The parts of the example that are necessary. Nil if the report shows the failure in brief.
  package var explanation: Explanation?
  /// The run of the example.
  package var timeline: Timeline
  /// The kind of failure whose shrinking caused this one. Nil if a run of the campaign showed it.
  package var metWhileShrinking: FailureKind? = nil
  /// The time for shrinking and explaining, in seconds. Nil without a clock.
  package var seconds: Double? = nil
}

extension FailureReport {
  package var identity: FailureIdentity { FailureIdentity(kind, cause) }

  package var blame: Blame {
    Blame(
      identity, part: part, role: role, ways: ways, subject: subject,
      hasGeneratedModel: model == ModelSource.generated.name)
  }

  /// Returns a Boolean value that indicates whether this report is more informative than another
  /// report of the same finding.
  func tellsMore(than other: FailureReport) -> Bool {
    if kind == other.kind { return stepCount < other.stepCount }
    return blame.tellingRank.lexicographicallyPrecedes(other.blame.tellingRank)
  }

  /// The finding that the run of the example shows, if any.
  package var finding: Timeline.Finding? {
    timeline.findings.first { $0.kind == kind }
  }

  /// A Boolean value that indicates whether the failure fails the campaign.
  package var isNew: Bool { standing == .new }

  /// A Boolean value that indicates whether reports show the failure by default: it fails the
  /// campaign or is a warning.
  package var isReported: Bool { standing == .new || standing == .warning }

  /// A Boolean value that indicates whether the failure is a warning about Core Data itself. Every
  /// design with such contexts has it.
  package var isInherent: Bool { standing == .warning && group == .frameworkBehaviour }

  package var group: FailureGroup { blame.group }

  /// The text of the cause. If a part of the design is the cause, the text names the part.
  package var causeText: String? {
    waits.isEmpty ? accesses?.text ?? cause?.text(in: part) : cause?.text(in: part, waits: waits)
  }

  /// A change of the app that prevents the failure. Nil if no such change exists.
  package var remedy: String? {
    guard let invariant, let site = kind.site else { return nil }
    let priorEvents = PriorEvents(in: Program(example).steps, on: example.stack)
    return invariant.definition.remedy(for: cause, at: site, after: priorEvents, of: subject)
  }

  /// The parts and contexts in which runs showed a failure of the design. Nil for other failures,
  /// such as framework behaviour, which occurs in every context.
  private var sightedPlaces: String? { group == .design ? sightings?.text : nil }

  /// The number of failing runs, in words.
  package var frequency: String {
    if let kind = metWhileShrinking {
      return "in no \(unit) of the campaign; found while shrinking '\(kind)'"
    }
    return count == 1
      ? "in one \(unit), number \(grouped(firstRun))"
      : "in \(grouped(count)) \(unit)s, first in \(unit) \(grouped(firstRun))"
        + (sightedPlaces.map { ": \($0)" } ?? "")
  }

  /// The violation in a sentence, without the step that shows it; nil without details.
  package var sentence: String? {
    guard let line = details?.prefix(while: { $0 != "\n" }) else { return nil }
    return line.firstRange(of: "\(kind). ").map { String(line[$0.upperBound...]) } ?? String(line)
  }

  /// The number of failing runs, as a table cell.
  package var cell: String { metWhileShrinking == nil ? grouped(count) : "–" }
}

/// The count of a kind of failure in a campaign, without a diagnosis.
package struct FailureTally: Hashable, Sendable {
  package var kind: FailureKind
  /// The number of runs that showed the failure.
  package var count: Int
  /// The number of the first failing run, from 1.
  package var firstRun: Int
  /// The seed of the smallest failing run. `model` is the name of the model on which it ran.
  package var seed: RunSeed
  package var model: String
}
