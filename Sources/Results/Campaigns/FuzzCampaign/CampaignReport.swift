package import Failures
import Determinism
package import Execution
import Generation
import Invariants
import ObjectModel
import PropertyTesting
import Prose
import Scenario
import ScenarioChecking
import Shrinking
import SimulatedCoreData
import Timelines
import Vocabulary

/// The result of a campaign, which is a function of the settings unless a time limit ended the
/// campaign.
package struct CampaignReport {
  package var settings: CampaignSettings
  /// The shard whose runs the report describes.
  package var part = Shard.whole
  package var runs = 0
  package var steps = 0
  package var wastedSteps = 0
  package var digest: UInt64 = 0
  package var disagreements: [FailureReport] = []
  package var violations: [FailureReport] = []
  /// Failures on a designed stack that generated programs caused themselves, and which do not count
  /// as violations of the design.
  package var misuses: [FailureReport] = []
  /// The number of performed steps of each kind, sorted by name. A step that only arranges other
  /// steps, such as `perform`, counts as often as programs contain it.
  package var stepCounts: [(verb: String, count: Int)] = []
  package var saves = SaveTally()
  /// The number of inserted objects, indexed by model and entity. Empty for generated models.
  package var insertionCounts: [[Int]] = []
  /// The number of calls of each entry point of the design, including calls by other entry points.
  package var entryCounts: [(name: String, count: Int)] = []
  /// The promises of the stack, each with the number of programs that tested it.
  package var promiseCounts: [PromiseCount] = []
  package var coverage = MarkCoverage()
  package var stateCount = 0
  /// The number of the last run, from 1, that reached a new abstract state. `lastNewMark` is the
  /// same for marks. Both are 0 if no run did.
  package var lastNewState = 0
  package var lastNewMark = 0
  /// The kinds of failures found, most frequent first.
  package var failureTallies: [FailureTally] = []
  /// The longest continuous occupation of the main queue in each run, in virtual milliseconds.
  package var mainQueueHolds: [Int] = []
  /// The number of programs whose schedules were all tried, and of programs that were too large.
  /// Nil unless the strategy searches all schedules.
  package var exhaustion: ExhaustiveTally?
  /// The total occupation of the main queue in each run, in virtual milliseconds.
  package var mainQueueOccupancies: [Int] = []
  /// The number of runs that ended because engine and reference model disagreed.
  package var disagreementCount = 0
  /// The number of the first run, from 1, that showed a defect of the engine. In such a run the
  /// engine disagreed with the reference model or lost a block.
  package var firstDefect: Int?
  /// The kinds of the failures that were not examined because the time of the campaign was up. The
  /// list has an entry for each signature.
  package var unexamined: [FailureKind] = []
  /// The failures that the options of the campaign leave out.
  package var allowed: [FailureFilter] = []
  /// The folder of failures that were replayed before the campaign, if any.
  package var failures: RegressionCorpus?

  /// Adds a failure that `runs` showed, with the scenario that shows the same failure, if any.
  mutating func add(
    _ failure: FailureReport, shownBy runs: RunSet, _ baseline: Baseline
  ) {
    var failure = failure
    (failure.runs, failure.count, failure.firstRun) = (self.runs, runs.count, runs.first ?? 0)
    guard failure.invariant != nil else { return disagreements.append(failure) }
    let precedent = failure.cause.flatMap {
      baseline.known.precedent(
        for: failure.kind, $0, of: failure.subject, like: Program(failure.example))
    }
    failure.precedent = precedent?.path
    failure.standing = baseline.standing(of: failure.kind, failure.group, precedent)
    if baseline.leavesUncounted(failure.group, onDesign: settings.stack != nil) {
      misuses.append(failure)
    } else {
      violations.append(failure)
    }
  }

  /// Writes the disagreements and violations of the campaign to a folder whose own failures were
  /// already replayed.
  package mutating func keep(in folder: RegressionCorpus) {
    var folder = folder
    var found = disagreements + violations
    folder.keep(&found)
    (disagreements, violations) = (
      Array(found.prefix(disagreements.count)), Array(found.dropFirst(disagreements.count))
    )
    failures = folder
  }

  /// A Boolean value that indicates whether all runs of the shard were made.
  package var isComplete: Bool { runs == part.runCount(of: settings.runs) }

  /// A Boolean value that indicates whether so few runs saved that finding no failure means
  /// nothing. The threshold is one run of ten with a save that reached a store.
  ///
  /// The value is false for fewer than 20 runs, for runs of fewer than 10 steps, and if options or
  /// design exclude saves.
  package var exercisesLittle: Bool {
    let mayWrite = settings.stack?.contexts.contains { !$0.isReadOnly } ?? true
    let filter = settings.stepFilter
    let maySave =
      (filter.only.isEmpty || filter.only.contains(.save)) && !filter.without.contains(.save)
    return runs >= 20 && settings.steps >= 10 && mayWrite && maySave
      && saves.storingRuns * 10 < runs
  }

  /// A Boolean value that indicates whether options exclude calls, although the stack has entry
  /// points.
  package var excludesCalls: Bool {
    settings.stack?.entryPoints.isEmpty == false && !settings.stepFilter.allows(.call)
  }

  /// A Boolean value that indicates whether the campaign passes.
  ///
  /// A campaign passes if the reference model agrees, no found or kept violation is new, every
  /// failure was examined, and enough runs saved.
  package var passes: Bool {
    disagreements.isEmpty && !violations.contains(where: \.isNew) && unexamined.isEmpty
      && !exercisesLittle
      && failures?.kept.contains(where: \.isNew) != true
  }
}
