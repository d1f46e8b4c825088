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

/// What a campaign came to. A function of its settings, but for the clock that may have ended it.
package struct CampaignReport {
  package var settings: CampaignSettings
  /// Which of the campaign's runs these are.
  package var part = Shard.whole
  package var runs = 0
  package var steps = 0
  package var wastedSteps = 0
  package var digest: UInt64 = 0
  package var disagreements: [FailureReport] = []
  package var violations: [FailureReport] = []
  /// What programs on a designed stack did to themselves: no violation of the design.
  package var misuses: [FailureReport] = []
  /// How often each kind of step was performed, in the order of their names; what only arranges for
  /// others to be, as `perform` does, as often as programs say it.
  package var stepCounts: [(verb: String, count: Int)] = []
  package var saves = SaveTally()
  /// By model from a file, and entity: how many objects were inserted; empty for generated models.
  package var insertionCounts: [[Int]] = []
  /// How often programs called each entry point of the design, those that others call included.
  package var entryCounts: [(name: String, count: Int)] = []
  /// The promises of the stack, each with the number of programs that put it to the test.
  package var promiseCounts: [(text: String, count: Int)] = []
  package var coverage = MarkCoverage()
  /// How many abstract states were seen.
  package var stateCount = 0
  /// The last runs, from 1, that came to an abstract state, or a mark, that none before had come
  /// to; 0 for none.
  package var lastNewState = 0
  package var lastNewMark = 0
  /// What was met, most frequent first.
  package var failureTallies: [FailureTally] = []
  /// By run: the longest time that the main queue was held at a stretch, in virtual milliseconds.
  package var mainQueueHolds: [Int] = []
  /// How many programs were small enough for all their schedules; nil if the strategy is another.
  package var exhaustion: ExhaustiveTally?
  /// By run: for how long it was held in all.
  package var mainQueueOccupancies: [Int] = []
  /// How many runs ended because engine and reference parted.
  package var disagreementCount = 0
  /// The first run, from 1, in which the engine did what no stack and no quirk explains: it parted
  /// from the reference, or lost a block.
  package var firstDefect: Int?
  /// The kinds of the failures that were not examined, one for each signature, because the time
  /// that the campaign was given was up.
  package var unexamined: [FailureKind] = []
  /// What its options leave out.
  package var allowed: [FailureFilter] = []
  /// The folder of failures that were replayed first, if there is one.
  package var failures: RegressionCorpus?

  /// Adds a failure that `runs` have shown, and looks whether a scenario shows it, too.
  mutating func add(
    _ failure: FailureReport, shownBy runs: RunSet, _ baseline: Baseline
  ) {
    var failure = failure
    (failure.runs, failure.count, failure.firstRun) = (self.runs, runs.count, runs.first ?? 0)
    guard failure.invariant != nil else { return disagreements.append(failure) }
    let precedent = failure.cause.flatMap {
      baseline.known.precedent(for: failure.kind, $0, like: Program(failure.example))
    }
    failure.precedent = precedent?.path
    failure.standing = baseline.standing(of: failure.kind, failure.group, precedent)
    if baseline.onlyTells(failure.group, onDesign: settings.stack != nil) {
      misuses.append(failure)
    } else {
      violations.append(failure)
    }
  }

  /// Keeps what was found in a folder, which has replayed its own.
  package mutating func keep(in folder: RegressionCorpus) {
    var folder = folder
    var found = disagreements + violations
    folder.keep(&found)
    (disagreements, violations) = (
      Array(found.prefix(disagreements.count)), Array(found.dropFirst(disagreements.count))
    )
    failures = folder
  }

  /// Whether all its runs were made.
  package var isComplete: Bool { runs == part.runCount(of: settings.runs) }

  /// A Boolean value that indicates whether hardly any run has saved anything, so that finding no
  /// failure means nothing: fewer than one run of ten had a save that reached a store. Campaigns of
  /// fewer than 20 runs, or of runs of fewer than 10 steps, and those whose options or design leave
  /// saves out, are not judged.
  package var exercisesLittle: Bool {
    let mayWrite = settings.stack?.contexts.contains { !$0.isReadOnly } ?? true
    let filter = settings.stepFilter
    let maySave =
      (filter.only.isEmpty || filter.only.contains(.save)) && !filter.without.contains(.save)
    return runs >= 20 && settings.steps >= 10 && mayWrite && maySave
      && saves.storingRuns * 10 < runs
  }

  /// A campaign passes if the reference agrees, no violation is new, those of kept failures
  /// included, and the runs have exercised something.
  package var passes: Bool {
    disagreements.isEmpty && !violations.contains(where: \.isNew) && unexamined.isEmpty
      && !exercisesLittle
      && failures?.kept.contains(where: \.isNew) != true
  }
}
