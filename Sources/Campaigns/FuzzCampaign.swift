package import Failures
package import Determinism
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
package import Vocabulary

/// Many runs, each kind of failure with its count, its cause and its smallest example.
package struct FuzzCampaign: Sendable {
  package let settings: CampaignSettings
  /// By model of the settings.
  let tables: [RunTables?]
  /// How many threads make the runs, and shrink what failed. Results do not depend on it.
  let jobs: Int
  /// Told before each run, and before the smallest of a kind is shrunk, of its model and
  /// seed: what to look at if the run should end this process. Called by the thread that is going
  /// to do it.
  let willRun: @Sendable (ModelSource, RunSeed) -> Void
  /// Told before a failure is shrunk: its number, of how many, and its kind. Called by several
  /// threads.
  package var willShrink: @Sendable (Int, Int, FailureKind) -> Void = { _, _, _ in }
  /// Called with each failure when it and all more severe ones are described, by one thread at a
  /// time. The report may still join it with another.
  package var didDescribe: @Sendable (FailureReport) -> Void = { _ in }
  /// The number of new failures, the most severe first, that are shrunk for good, certified and
  /// explained; nil for every failure that counts. The others are as small as a diagnosis needs
  /// them.
  package var certifiedCount: Int?
  /// A Boolean value that indicates whether the examples of failures in brief are kept in files. If
  /// so, they are shrunk by all cheap passes.
  package var keepsExamples = false
  /// Whether failures that were not examined yet are to be left unexamined. Asked by several
  /// threads.
  package var isOutOfTime: @Sendable () -> Bool = { false }
  /// The time that each stage took, if there is a clock.
  package let stageTimes = StageTimes()
  /// In seconds: read before and after a failure is shrunk, for reports that say how long that
  /// took. Decides nothing.
  package var clock: @Sendable () -> Double? = { nil }

  package init(
    _ settings: CampaignSettings, jobs: Int = 1,
    willRun: @escaping @Sendable (ModelSource, RunSeed) -> Void = { _, _ in }
  ) {
    precondition(jobs > 0, "\(jobs) threads")
    (self.settings, self.jobs) = (settings, jobs)
    tables = settings.models.map(\.tables)
    self.willRun = willRun
  }

  /// The same campaign for one thread of many.
  func forOneThread() -> FuzzCampaign {
    var campaign = FuzzCampaign(settings.unshared, jobs: jobs, willRun: willRun)
    campaign.willShrink = willShrink
    campaign.clock = clock
    return campaign
  }

  /// All runs, and what they mean.
  package func run(
    baseline: Baseline = Baseline(),
    shouldStop: (borrowing ShardResult) -> Bool = { _ in false }
  ) -> CampaignReport {
    report(on: collect(shouldStop: shouldStop), baseline: baseline)
  }

  /// What runs mean that were made before: each kind of failure is shrunk and explained.
  package func report(
    on share: ShardResult, baseline: Baseline = Baseline()
  ) -> CampaignReport {
    var (report, found) = count(share)
    describe(found, share.failingRuns, baseline, in: &report)
    // By group, what is new first, what only shrinking met last, then by severity and count.
    func rank(_ failure: FailureReport) -> [Int] {
      [
        failure.group.rawValue, failure.isNew ? 0 : 1, failure.metWhileShrinking == nil ? 0 : 1,
        failure.invariant?.severity.rawValue ?? 0, -failure.count,
      ]
    }
    report.violations.sort { a, b in
      let (first, second) = (rank(a), rank(b))
      return first == second
        ? a.kind.name < b.kind.name : first.lexicographicallyPrecedes(second)
    }
    return report
  }

  /// As `run`, but failures are only counted: nothing is shrunk or attributed.
  package func survey(
    shouldStop: (borrowing ShardResult) -> Bool = { _ in false }
  ) -> CampaignReport {
    counts(of: collect(shouldStop: shouldStop))
  }

  /// Likewise, of runs that were made before.
  package func counts(of share: ShardResult) -> CampaignReport { count(share).0 }

  /// One run on a model from `source`, of which there may be `tables`.
  package func run(
    _ source: ModelSource, tables: RunTables? = nil, _ choices: inout Choices,
    observing observe: (Action, [Event]) -> Void = { _, _ in }
  ) -> Outcome {
    var room = RunRoom()
    return run(source, tables: tables, &choices, in: &room, observing: observe)
  }

  /// Likewise, in the room of a run before it.
  func run(
    _ source: ModelSource, tables: RunTables?, _ choices: inout Choices, in room: inout RunRoom,
    observing observe: (Action, [Event]) -> Void
  ) -> Outcome {
    var configuration = settings.configuration(for: source, &choices)
    configuration.tables = tables
    return ProgramRunner(configuration).run(&choices, in: &room, observing: observe)
  }

  /// How a run fails, shrunk and explained; it must fail with `kind`.
  package func failure(
    _ kind: FailureKind, ofRun seed: RunSeed, _ source: ModelSource
  ) -> FailureReport {
    var choices = self.choices(seed, source)
    let outcome = run(source, &choices)
    guard let failure = outcome.failures.first(where: { $0.kind == kind }) else {
      preconditionFailure("the run does not show '\(kind)'")
    }
    var again = Choices(replaying: choices.recording)
    let configuration = settings.configuration(for: source, &again)
    let origin = Origin(
      seed: seed, source: source, configuration: configuration,
      swarm: outcome.swarmText(isWhole: false), wholeSwarm: outcome.swarmText(isWhole: true))
    let lead = Lead(
      failure: failure, runs: RunSet(), program: outcome.program(showing: failure), origin: origin)
    return describe(lead.diagnosed(), uncertified: nil).failure
  }
}
