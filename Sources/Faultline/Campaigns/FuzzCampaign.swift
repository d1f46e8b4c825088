package import Determinism
package import ObjectModel
import PropertyTesting
package import Scenario
package import SimulatedCoreData
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
  package var strategy = RunConfiguration.Strategy.mixed
  /// How many runs the search for each smallest example may take.
  package var shrinkBudget = 2_000
  /// Whether violations come with their proof although the stack is made up.
  package var proves = false

  package init(models: [ModelSource]) { self.models = models }

  /// How much is judged: a design only where there is one.
  package var scrutiny: Scrutiny { stack != nil ? .design : proves ? .proof : .soundness }

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
  package var kind: String
  /// Nil for a disagreement.
  package var invariant: Invariant?
  /// In how many runs, and the number of the first of them, from 1.
  package var count: Int
  package var firstRun: Int
  package var runs: Int
  /// The seed of the smallest failing run as it was found, and the model that it ran on.
  package var seed: UInt64
  package var model: String
  package var cause: Cause?
  package var example: Scenario
  /// Steps of the example.
  package var stepCount: Int
  /// What it is about, with the values that prove it.
  package var details: String?
  /// The scenario that documents this kind with this cause.
  package var documentedBy: String?
}

/// A kind of failure as a campaign met it, not looked into.
package struct Sighting: Hashable, Sendable {
  package var kind: String
  /// In how many runs.
  package var count: Int
  /// The number of the first of them, from 1.
  package var firstRun: Int
  /// The seed of the smallest, and the model that it ran on.
  package var seed: UInt64
  package var model: String
}

/// What a campaign came to. A function of its settings, but for the clock that may have ended it.
package struct CampaignReport {
  package var settings: CampaignSettings
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
  /// What was met, most frequent first.
  package var sightings: [Sighting] = []
  /// By run: the longest time that the main queue was held at a stretch, in virtual milliseconds.
  package var mainQueueHolds: [Int] = []
  /// How many runs ended because engine and reference parted.
  package var disagreementCount = 0

  /// A campaign passes if the reference agrees and every violation is a documented one.
  package var passes: Bool {
    disagreements.isEmpty && violations.allSatisfy { $0.documentedBy != nil }
  }
}

/// Many runs, each kind of failure with its count, its cause and its smallest example.
package struct FuzzCampaign {
  package let settings: CampaignSettings
  /// Told before each run, and before the smallest of a kind is made smaller, of its model and seed:
  /// what to look at if the run should end this process.
  private let willRun: (ModelSource, UInt64) -> Void

  package init(
    _ settings: CampaignSettings, willRun: @escaping (ModelSource, UInt64) -> Void = { _, _ in }
  ) {
    self.settings = settings
    self.willRun = willRun
  }

  /// How many runs on one model before it is the next one's turn.
  private static let turn = 64

  /// `shouldStop` is asked before each run, with the number of runs and steps so far.
  package func run(
    edgeCases: EdgeCases = EdgeCases([]), shouldStop: (Int, Int) -> Bool = { _, _ in false }
  ) -> CampaignReport {
    var (report, found) = collect(shouldStop: shouldStop)
    describe(found, edgeCases, in: &report)
    // What nobody documents first, then by how often it happens.
    report.violations.sort { a, b in
      (a.documentedBy == nil ? 0 : 1, -a.count, a.kind)
        < (b.documentedBy == nil ? 0 : 1, -b.count, b.kind)
    }
    return report
  }

  /// As `run`, but failures are only counted: nothing is shrunk or attributed.
  package func survey(shouldStop: (Int, Int) -> Bool = { _, _ in false }) -> CampaignReport {
    collect(shouldStop: shouldStop).0
  }

  /// The runs themselves: all that a report says but for what the failures mean.
  private func collect(
    shouldStop: (Int, Int) -> Bool
  ) -> (CampaignReport, [(source: ModelSource, finding: Finding<String>)]) {
    var report = CampaignReport(settings: settings)
    var stepCounts: [String: Int] = [:]
    var firstRuns: [String: Int] = [:]
    var runCount = 0
    var found: [(source: ModelSource, finding: Finding<String>)] = []
    // The models take turns, so that a campaign that is stopped has seen them all.
    let (share, rest) = settings.runs.quotientAndRemainder(dividingBy: settings.models.count)
    var campaigns = settings.models.map { _ in Campaign<String>() }
    var (start, index) = (0, 0)
    while start <= share {
      let end = min(start + FuzzCampaign.turn, index < rest ? share + 1 : share)
      let source = settings.models[index]
      let before = (runs: report.runs, steps: report.steps)
      let campaign = Campaign<String>.run(
        start..<max(start, end), seed: Generator.derive(settings.seed, UInt64(index)),
        shouldStop: { shouldStop(before.runs + $0.runs, before.steps + $0.steps) },
        willRun: { willRun(source, $0) }
      ) { choices in
        let outcome = run(source, &choices) { action, _ in
          if action.isCountedAsStep { stepCounts[action.verb, default: 0] += 1 }
        }
        runCount += 1
        for kind in outcome.identities where firstRuns[kind] == nil { firstRuns[kind] = runCount }
        for step in outcome.program.steps { count(blocksOf: step, in: &stepCounts) }
        report.wastedSteps += outcome.wastedStepCount
        report.coverage.count(outcome.marks)
        report.mainQueueHolds.append(outcome.longestMainQueueHold)
        if outcome.disagreement != nil { report.disagreementCount += 1 }
        return Case(
          digest: outcome.digest, steps: outcome.stepCount, failures: outcome.identities)
      }
      report.runs += campaign.runs
      report.steps += campaign.steps
      campaigns[index].merge(campaign)
      if campaign.runs < end - start { break }
      index += 1
      if index == settings.models.count { (start, index) = (start + FuzzCampaign.turn, 0) }
    }
    for (source, campaign) in zip(settings.models, campaigns) {
      var digest = Digest(seed: report.digest)
      digest.feed(campaign.digest)
      report.digest = digest.value
      found += campaign.findings.map { (source, $0) }
    }
    report.stepCounts = stepCounts.keys.sorted().map { ($0, stepCounts[$0] ?? 0) }
    report.sightings = sightings(of: found, firstRuns)
    return (report, found)
  }

  /// Kinds of failures over all models.
  private func sightings(
    of found: [(source: ModelSource, finding: Finding<String>)], _ firstRuns: [String: Int]
  ) -> [Sighting] {
    var sightings: [Sighting] = []
    var sizes: [Int] = []
    for (source, finding) in found {
      let example = finding.example
      guard let index = sightings.firstIndex(where: { $0.kind == finding.identity }) else {
        sightings.append(
          Sighting(
            kind: finding.identity, count: finding.count,
            firstRun: firstRuns[finding.identity] ?? 0, seed: example.seed, model: source.name))
        sizes.append(example.size)
        continue
      }
      sightings[index].count += finding.count
      if example.size < sizes[index] {
        (sightings[index].seed, sightings[index].model) = (example.seed, source.name)
        sizes[index] = example.size
      }
    }
    return sightings.sorted { ($1.count, $0.kind) < ($0.count, $1.kind) }
  }

  /// Blocks are no actions, and nothing observes them.
  private func count(blocksOf addressed: AddressedStep, in counts: inout [String: Int]) {
    switch addressed.step {
    case .perform, .performAndWait, .performBackgroundTask, .directly, .async, .sync, .call, .tick,
      .sleep:
      counts[addressed.step.verb, default: 0] += 1
    default: break
    }
    for step in addressed.step.block ?? [] { count(blocksOf: step, in: &counts) }
  }

  /// One run on a model from `source`.
  package func run(
    _ source: ModelSource, _ choices: inout Choices,
    observing observe: (Action, [Event]) -> Void = { _, _ in }
  ) -> Outcome {
    let configuration = settings.configuration(for: source, &choices)
    return ProgramRunner(configuration).run(&choices, observing: observe)
  }

  // MARK: Failures

  private func describe(
    _ found: [(source: ModelSource, finding: Finding<String>)], _ edgeCases: EdgeCases,
    in report: inout CampaignReport
  ) {
    var kinds: [String] = []
    for (_, finding) in found where !kinds.contains(finding.identity) {
      kinds.append(finding.identity)
    }
    for kind in kinds {
      let all = found.filter { $0.finding.identity == kind }
      guard let smallest = all.min(by: { $0.finding.example.size < $1.finding.example.size }) else {
        continue
      }
      willRun(smallest.source, smallest.finding.example.seed)
      var failure = describe(kind, smallest.finding.example, smallest.source)
      failure.count = all.reduce(0) { $0 + $1.finding.count }
      failure.firstRun = report.sightings.first { $0.kind == kind }?.firstRun ?? 0
      failure.runs = report.runs
      if failure.invariant == nil {
        report.disagreements.append(failure)
      } else {
        if let cause = failure.cause {
          failure.documentedBy = edgeCases.scenario(for: kind, cause)
        }
        report.violations.append(failure)
      }
    }
  }

  private func describe(
    _ kind: String, _ example: Example<String>, _ source: ModelSource
  ) -> FailureReport {
    // First what chance decided is made simpler, which knows nothing of Core Data; then the
    // program that comes of it, which does.
    let recording =
      Shrinker<String>.shrink(
        example.recording, keeping: kind, budget: settings.shrinkBudget / 4
      ) { choices in
        let identities = run(source, &choices).identities
        if identities.contains(kind) { return .failed(kind) }
        return identities.first.map { .failed($0) } ?? .passed
      }?.recording ?? example.recording
    var choices = Choices(replaying: recording)
    let configuration = settings.configuration(for: source, &choices)
    let runner = ProgramRunner(configuration)
    let outcome = runner.run(&choices)
    var shrinker = ProgramShrinker(runner, budget: settings.shrinkBudget) {
      $0.identities.contains(kind)
    }
    var proving = configuration
    if proving.scrutiny == .soundness { proving.scrutiny = .proof }
    let smallest = ProgramRunner(proving).run(shrinker.shrink(outcome.program).program)
    let violation = smallest.violations.first { $0.kind == kind }
    let cause =
      violation == nil ? nil : Attribution(configuration).cause(of: kind, in: smallest.program)
    return FailureReport(
      kind: kind, invariant: violation?.invariant, count: 0, firstRun: 0, runs: 0,
      seed: example.seed,
      model: source.name, cause: cause,
      example: scenario(kind, smallest, example.seed, source, violation, cause),
      stepCount: smallest.program.steps.count,
      details: smallest.disagreement.map { $0.report(in: smallest.program) }
        ?? violation.map { $0.report(in: smallest.program) },
      documentedBy: nil)
  }

  private func scenario(
    _ kind: String, _ outcome: Outcome, _ seed: UInt64, _ source: ModelSource,
    _ violation: Violation?, _ cause: Cause?
  ) -> Scenario {
    var prose = ["Found by chance: \(kind)."]
    if let violation { prose.append("Broken: \(violation.invariant.sentence).") }
    if let cause { prose.append("Cause: \(cause.text).") }
    let name = kind.split { !($0.isLetter || $0.isNumber) }.joined(separator: "-")
    return Scenario(
      outcome.program, name: name, source: "seed 0x\(String(seed, radix: 16))",
      profile: settings.profile, quirks: settings.quirks, modelPath: source.path, prose: prose,
      watch: [.awakeFromInsert, .receive, .becamePermanent])
  }
}

extension Action {
  /// The kind of step that this is or begins.
  package var verb: String {
    switch self {
    case .step(let step, _): step.step.verb
    case .merge: "mergeChanges"
    case .mergeRemote: "mergeRemoteChanges"
    case .wrongQueue: "wrongQueue"
    case .endOfEvent: "endOfEvent"
    }
  }
}
