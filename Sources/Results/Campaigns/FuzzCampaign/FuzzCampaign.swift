package import Failures
package import Determinism
import Diagnosis
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

/// A campaign of many runs, which reports each kind of failure with its count, its cause and its
/// smallest example.
package struct FuzzCampaign: Sendable {
  package let settings: CampaignSettings
  /// The tables of each model of the settings.
  let tables: [RunTables?]
  /// The number of threads that make runs and shrink failures. Results do not depend on it.
  let jobs: Int
  /// Called with the model and seed before each run and before shrinking the smallest program of a
  /// kind. The call, on the thread that makes the run, identifies the run if the run ends the
  /// process.
  let willRun: @Sendable (ModelSource, RunSeed) -> Void
  /// Called before each failure is described, with its number, the number of failures, and its
  /// kind. Several threads may call it.
  package var willShrink: @Sendable (Int, Int, FailureKind) -> Void = { _, _, _ in }
  /// Called with each failure once it and all more severe failures are described, by one thread at
  /// a time. The report may still join the failure with another.
  package var didDescribe: @Sendable (FailureReport) -> Void = { _ in }
  /// The number of new failures, the most severe first, that are shrunk fully, certified and
  /// explained. Nil for every failure that counts. Other failures are shrunk only as far as a
  /// diagnosis needs.
  package var certifiedCount: Int?
  /// A Boolean value that indicates whether the examples of failures in brief are kept in files. If
  /// so, they are shrunk by all cheap passes.
  package var keepsExamples = false
  /// Returns whether the remaining failures should stay unexamined. Several threads may call it.
  package var isOutOfTime: @Sendable () -> Bool = { false }
  /// The time that each stage took, if there is a clock.
  package let stageTimes = StageTimes()
  /// Returns the time in seconds, for reports of how long each failure took. No decision depends on
  /// it.
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

  /// Returns the same campaign with storage for a single thread.
  func forOneThread() -> FuzzCampaign {
    var campaign = FuzzCampaign(settings.unshared, jobs: jobs, willRun: willRun)
    campaign.willShrink = willShrink
    campaign.clock = clock
    return campaign
  }

  /// Makes all runs, and shrinks and explains each kind of failure.
  package func run(
    baseline: Baseline = Baseline(),
    shouldStop: (borrowing ShardResult) -> Bool = { _ in false }
  ) -> CampaignReport {
    report(on: collect(shouldStop: shouldStop), baseline: baseline)
  }

  /// Returns the report of finished runs, with each kind of failure shrunk and explained.
  package func report(
    on share: ShardResult, baseline: Baseline = Baseline()
  ) -> CampaignReport {
    var (report, found) = count(share)
    describe(found, share.failingRuns, baseline, in: &report)
    // Warnings follow failures, and known failures come last.
    func rank(_ failure: FailureReport) -> [Int] {
      [failure.isNew ? 0 : failure.isReported ? 1 : 2] + failure.blame.rank
        + [failure.metWhileShrinking == nil ? 0 : 1, -failure.count]
    }
    report.violations.sort { a, b in
      let (first, second) = (rank(a), rank(b))
      return first == second
        ? a.kind.name < b.kind.name : first.lexicographicallyPrecedes(second)
    }
    return report
  }

  /// Makes all runs and counts failures, without shrinking or diagnosing any.
  package func survey(
    shouldStop: (borrowing ShardResult) -> Bool = { _ in false }
  ) -> CampaignReport {
    counts(of: collect(shouldStop: shouldStop))
  }

  /// Returns the report of finished runs with failures only counted.
  package func counts(of share: ShardResult) -> CampaignReport { count(share).0 }

  /// Makes a run on a model from `source`.
  ///
  /// - Parameter tables: The tables of the model, or nil to derive them.
  package func run(
    _ source: ModelSource, tables: RunTables? = nil, _ choices: inout Choices,
    observing observe: (Action, [Event]) -> Void = { _, _ in }
  ) -> Outcome {
    var storage = RunStorage()
    return run(source, tables: tables, &choices, in: &storage, observing: observe)
  }

  /// Makes a run in the storage of an earlier run.
  func run(
    _ source: ModelSource, tables: RunTables?, _ choices: inout Choices,
    in storage: inout RunStorage,
    observing observe: (Action, [Event]) -> Void
  ) -> Outcome {
    var configuration = settings.configuration(for: source, &choices)
    configuration.tables = tables
    return ProgramRunner(configuration).run(&choices, in: &storage, observing: observe)
  }

  /// Returns the failure of a run, shrunk and explained. The run must fail with `kind`.
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
    let bucket = FailureBucket(
      failure: failure, runs: RunSet(), program: outcome.program(showing: failure), origin: origin)
    return describe(bucket.diagnosed(), uncertified: nil).failure
  }
}
