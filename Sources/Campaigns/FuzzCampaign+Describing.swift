import Failures
import Determinism
import Execution
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

/// Shrinking and explaining what a campaign found.
extension FuzzCampaign {
  func describe(
    _ found: [Found], _ knownFailures: KnownFailures,
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
          failure.knownFailure = knownFailures.scenario(
            for: failure.kind, cause, like: Program(failure.example))
        }
        report.violations.append(failure)
      }
    }
    let groups = kinds.map { kind in found.filter { $0.kind == kind } }
    for described in concurrently(groups.count, jobs: jobs, { describe(groups[$0]) }) {
      var failure = described.failure
      failure.firstRun = report.failureTallies.first { $0.kind == failure.kind }?.firstRun ?? 0
      add(failure)
      slips += described.slips
    }
    // Failures that smaller programs showed and no run of the campaign; those met while one of them
    // is shrunk are not followed.
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
  struct Origin: Sendable {
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

  func describe(
    _ kind: FailureKind, _ program: Program, _ origin: Origin
  ) -> (FailureReport, slips: [ProgramShrinker.Slip]) {
    let configuration = origin.configuration
    let minimum = ShrinkingPipeline(configuration, budget: settings.shrinkBudget).smallest(
      program, failingAs: kind)
    var proving = configuration
    if proving.checkLevel == .soundness { proving.checkLevel = .proof }
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
      knownFailure: nil, explanation: explanation, timeline: timeline)
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
