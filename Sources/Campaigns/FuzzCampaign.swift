package import Failures
package import Determinism
package import Execution
package import Generation
package import Invariants
package import ObjectModel
import PropertyTesting
import Prose
package import Scenario
import ScenarioChecking
package import Shrinking
import SimulatedCoreData
package import Timelines
package import Vocabulary

/// Where a campaign's runs get their models.
package enum ModelSource: Sendable {
  case file(path: String, ObjectModel)
  /// Made up anew for each run.
  case generated

  /// What `--model` takes to get it again.
  package var name: String {
    switch self {
    case .file(let path, _): path
    case .generated: "generated"
    }
  }

  /// The path that scenarios refer to; nil where they contain the model.
  package var path: String? {
    if case .file(let path, _) = self { return path }
    return nil
  }
}

/// All that decides what a campaign does.
package struct CampaignSettings: Sendable {
  package var models: [ModelSource]
  /// Made up for each run if nil.
  package var stack: Stack?
  /// What programs are about; none is a bit of everything.
  package var workloads: [Workload] = []
  /// Kinds of steps that runs keep to, or do without.
  package var pins = Swarm.StepFilter()
  package var profile = Profile.current
  /// Quirks that are turned on besides the profile's.
  package var withQuirks: [Quirk] = []
  /// Quirks that are turned off.
  package var withoutQuirks: [Quirk] = []
  package var bugs: [PlantedBug] = []
  package var limits = StackLimits()
  package var runs = 5_000
  package var steps = 60
  package var seed: UInt64 = 1
  package var strategy = SearchStrategy.portfolio
  /// How many runs the search for each smallest example may take.
  package var shrinkBudget = 2_000
  /// Whether runs go back to what few before them have come to. That reaches more abstract states,
  /// and has not found planted bugs sooner.
  package var isGuided = false
  /// Whether violations come with their proof although the stack is made up.
  package var proves = false

  package init(models: [ModelSource]) { self.models = models }

  /// How much is judged: a design only where there is one.
  package var scrutiny: CheckLevel { stack != nil ? .design : proves ? .proof : .soundness }

  package var quirks: QuirkSet {
    var quirks = profile.quirks
    for quirk in withQuirks { quirks.insert(quirk) }
    for quirk in withoutQuirks { quirks.remove(quirk) }
    return quirks
  }

  /// The model of a run, and how it is set up.
  package func configuration(
    for source: ModelSource, _ choices: inout Choices
  ) -> RunConfiguration {
    let model =
      switch source {
      case .file(_, let model): model
      case .generated: ModelGenerator().model(&choices)
      }
    var configuration = RunConfiguration(model: model, quirks: quirks)
    configuration.stack = stack
    configuration.workloads = workloads
    configuration.pins = pins
    configuration.limits = limits
    configuration.bugs = PlantedBugSet(bugs)
    configuration.steps = steps
    configuration.strategy = strategy
    // Nobody has designed a stack that was made up.
    configuration.scrutiny = scrutiny
    return configuration
  }
}

/// One kind of failure that a campaign met.
package struct FailureReport {
  package var kind: FailureKind
  /// Nil for a disagreement.
  package var invariant: Invariant? { kind.invariant }
  /// In how many runs, and the number of the first of them, from 1.
  package var count: Int
  package var firstRun: Int
  package var runs: Int
  /// What the smallest failing run was made up from, and the model that it ran on.
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
  /// The scenario that documents this kind with this cause.
  package var documentedBy: String?
  /// What of the example matters.
  package var explanation: Explanation
  /// The run of the example.
  package var timeline: Timeline
  /// The kind of failure whose example was being made small when this one showed; nil if the
  /// campaign's own runs met it.
  package var metWhileShrinking: FailureKind? = nil
}

extension FailureReport {
  package var identity: FailureIdentity { FailureIdentity(kind, cause) }

  /// How often it was met, in words.
  package var frequency: String {
    if let kind = metWhileShrinking {
      return "in no program of the campaign: met while shrinking '\(kind)'"
    }
    return count == 1
      ? "in one program, number \(grouped(firstRun))"
      : "in \(grouped(count)) programs, the first of them number \(grouped(firstRun))"
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
  /// What the smallest was made up from, and the model that it ran on.
  package var seed: RunSeed
  package var model: String
}

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
  /// How often each kind of step was performed, in the order of their names; what only arranges for
  /// others to be, as `perform` does, as often as programs say it.
  package var stepCounts: [(verb: String, count: Int)] = []
  package var coverage = MarkCoverage()
  /// How many abstract states were seen.
  package var stateCount = 0
  /// The last runs, from 1, that came to an abstract state, or a mark, that none before had come
  /// to; 0 for none.
  package var lastNewState = 0
  package var lastNewMark = 0
  /// What was met, most frequent first.
  package var sightings: [FailureTally] = []
  /// By run: the longest time that the main queue was held at a stretch, in virtual milliseconds.
  package var mainQueueHolds: [Int] = []
  /// How many programs were small enough for all their schedules; nil if nobody asked for that.
  package var exhaustion: ExhaustiveTally?
  /// By run: for how long it was held in all.
  package var mainQueueOccupancies: [Int] = []
  /// How many runs ended because engine and reference parted.
  package var disagreementCount = 0
  /// The first run, from 1, in which the engine did what no stack and no quirk explains: it parted
  /// from the reference, or lost a block.
  package var firstDefect: Int?
  /// The folder of failures that were replayed first, if there is one.
  package var failures: RegressionCorpus?

  /// Whether all its runs were made.
  package var isComplete: Bool { runs == part.runCount(of: settings.runs) }

  /// A campaign passes if the reference agrees and every violation is a documented one, those of
  /// kept failures included.
  package var passes: Bool {
    disagreements.isEmpty && violations.allSatisfy { $0.documentedBy != nil }
      && failures?.kept.contains(where: \.isUndocumented) != true
  }
}

/// Many runs, each kind of failure with its count, its cause and its smallest example.
package struct FuzzCampaign: Sendable {
  package let settings: CampaignSettings
  /// How many threads make the runs, and make small what failed. Results do not depend on it.
  let jobs: Int
  /// Told before each run, and before the smallest of a kind is made smaller, of its model and
  /// seed: what to look at if the run should end this process. Called by the thread that is going
  /// to do it.
  let willRun: @Sendable (ModelSource, RunSeed) -> Void

  package init(
    _ settings: CampaignSettings, jobs: Int = 1,
    willRun: @escaping @Sendable (ModelSource, RunSeed) -> Void = { _, _ in }
  ) {
    precondition(jobs > 0, "\(jobs) threads")
    (self.settings, self.jobs) = (settings, jobs)
    self.willRun = willRun
  }

  /// All runs, and what they mean.
  package func run(
    edgeCases: KnownFailures = KnownFailures([]),
    shouldStop: (borrowing ShardResult) -> Bool = { _ in false }
  ) -> CampaignReport {
    report(on: collect(shouldStop: shouldStop), edgeCases: edgeCases)
  }

  /// What runs mean that were made before: each kind of failure is made small and explained.
  package func report(
    on share: ShardResult, edgeCases: KnownFailures = KnownFailures([])
  ) -> CampaignReport {
    var (report, found) = count(share)
    describe(found, edgeCases, in: &report)
    // What nobody documents first, then by how often it happens.
    report.violations.sort { a, b in
      (a.documentedBy == nil ? 0 : 1, -a.count, a.kind.name)
        < (b.documentedBy == nil ? 0 : 1, -b.count, b.kind.name)
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

  /// One run on a model from `source`.
  package func run(
    _ source: ModelSource, _ choices: inout Choices,
    observing observe: (Action, [Event]) -> Void = { _, _ in }
  ) -> Outcome {
    let configuration = settings.configuration(for: source, &choices)
    return ProgramRunner(configuration).run(&choices, observing: observe)
  }

  /// How a run fails, made small and explained; it must fail with `kind`.
  package func failure(
    _ kind: FailureKind, ofRun seed: RunSeed, _ source: ModelSource
  ) -> FailureReport {
    var choices = self.choices(seed, source)
    let outcome = run(source, &choices)
    var again = Choices(replaying: choices.recording)
    let configuration = settings.configuration(for: source, &again)
    let origin = Origin(
      seed: seed, source: source, configuration: configuration,
      swarm: outcome.swarmText(isWhole: false), wholeSwarm: outcome.swarmText(isWhole: true))
    return describe(kind, outcome.program(showing: kind), origin).0
  }

  // MARK: Failures

  private func describe(
    _ found: [Found], _ edgeCases: KnownFailures,
    in report: inout CampaignReport
  ) {
    var kinds: [FailureKind] = []
    for one in found where !kinds.contains(one.kind) {
      kinds.append(one.kind)
    }
    var slips: [(kind: FailureKind, program: Program, origin: Origin)] = []
    func add(_ failure: FailureReport) {
      var failure = failure
      failure.runs = report.runs
      if failure.invariant == nil {
        report.disagreements.append(failure)
      } else {
        if let cause = failure.cause {
          failure.documentedBy = edgeCases.scenario(
            for: failure.kind, cause, like: Program(failure.example))
        }
        report.violations.append(failure)
      }
    }
    let groups = kinds.map { kind in found.filter { $0.kind == kind } }
    for described in concurrently(groups.count, jobs: jobs, { describe(groups[$0]) }) {
      var failure = described.failure
      failure.firstRun = report.sightings.first { $0.kind == failure.kind }?.firstRun ?? 0
      add(failure)
      slips += described.slips
    }
    // What no run of the campaign showed, but a smaller program did: its slips are left alone.
    for slip in slips where !kinds.contains(slip.kind) {
      kinds.append(slip.kind)
      willRun(slip.origin.source, slip.origin.seed)
      var (failure, _) = describe(slip.kind, slip.program, slip.origin)
      failure.metWhileShrinking = slip.origin.slippedFrom
      add(failure)
    }
  }

  /// One kind of failure, as it was found on one model or several.
  private func describe(
    _ all: [Found]
  ) -> (failure: FailureReport, slips: [(kind: FailureKind, program: Program, origin: Origin)]) {
    guard let smallest = all.min(by: { $0.finding.example.size < $1.finding.example.size }) else {
      preconditionFailure("a kind that nothing shows")
    }
    let kind = smallest.kind
    willRun(smallest.source, smallest.seed)
    let example = smallest.finding.example
    var choices = Choices(replaying: example.recording)
    let configuration = settings.configuration(for: smallest.source, &choices)
    let outcome = ProgramRunner(configuration).run(&choices)
    let origin = Origin(
      seed: smallest.seed, source: smallest.source, configuration: configuration,
      swarm: outcome.swarmText(isWhole: false), wholeSwarm: outcome.swarmText(isWhole: true))
    var (failure, met) = describe(kind, outcome.program(showing: kind), origin)
    failure.count = all.reduce(0) { $0 + $1.finding.count }
    return (failure, met.map { ($0.kind, $0.program, origin.slipping(from: kind)) })
  }

  /// Where a failing program comes from.
  private struct Origin: Sendable {
    var seed: RunSeed
    var source: ModelSource
    var configuration: RunConfiguration
    var swarm: String
    var wholeSwarm: String
    var slippedFrom: FailureKind?

    func slipping(from kind: FailureKind) -> Origin {
      var result = self
      result.slippedFrom = kind
      return result
    }
  }

  private func describe(
    _ kind: FailureKind, _ program: Program, _ origin: Origin
  ) -> (FailureReport, slips: [ProgramShrinker.Slip]) {
    let configuration = origin.configuration
    let minimum = ShrinkingPipeline(configuration, budget: settings.shrinkBudget).smallest(
      program, failingAs: kind)
    var proving = configuration
    if proving.scrutiny == .soundness { proving.scrutiny = .proof }
    let (smallest, timeline) = ProgramRunner(proving).timeline(of: minimum.outcome.program)
    let violation = smallest.violations.first { $0.kind == kind }
    let cause = Attribution(configuration).cause(of: kind, in: smallest.program)
    let explanation = Explanation(of: kind, in: smallest.program, configuration)
    let report = FailureReport(
      kind: kind, count: 0, firstRun: 0, runs: 0,
      seed: origin.seed, model: origin.source.name, swarm: origin.swarm,
      wholeSwarm: origin.wholeSwarm, cause: cause,
      example: scenario(kind, smallest, origin, violation, cause, explanation),
      stepCount: smallest.program.stepCount, certificate: minimum.certificate,
      details: smallest.disagreement.map { $0.report(in: smallest.program) }
        ?? violation.map { $0.report(in: smallest.program) },
      documentedBy: nil, explanation: explanation, timeline: timeline)
    return (report, minimum.slips)
  }

  private func scenario(
    _ kind: FailureKind, _ outcome: Outcome, _ origin: Origin, _ violation: Violation?,
    _ cause: Cause?,
    _ explanation: Explanation
  ) -> Scenario {
    var prose = ["Found by chance: \(kind)."]
    if let violation { prose.append("Violated: \(violation.invariant.sentence).") }
    if let cause { prose.append("Cause: \(cause.text).") }
    prose += [""] + explanation.text
    let name = kind.name.split { !($0.isLetter || $0.isNumber) }.joined(separator: "-")
    return Scenario(
      outcome.program, name: name, source: "seed \(origin.seed.text)",
      profile: settings.profile, quirks: settings.quirks, modelPath: origin.source.path,
      prose: prose,
      watch: [.awakeFromInsert, .receive, .becamePermanent])
  }
}
