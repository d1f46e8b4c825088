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

/// Shrinking and explaining what a campaign found.
///
/// Each signature is shrunk and attributed by itself; signatures that turn out to have one cause in
/// one part of the design are one failure, whose smallest example is then shrunk for good.
extension FuzzCampaign {
  func describe(
    _ found: [Found], _ failingRuns: [FailureSignature: RunSet], _ baseline: Baseline,
    in report: inout CampaignReport
  ) {
    let leads = leads(in: found, failingRuns)
    var kinds: [FailureKind] = []
    for lead in leads where !kinds.contains(lead.failure.kind) { kinds.append(lead.failure.kind) }
    var slips: [(failure: FailureSignature, program: Program, origin: Origin)] = []
    var described: [(failure: FailureReport, runs: RunSet)] = []
    func add(_ failure: FailureReport, _ runs: RunSet) {
      let known = described.firstIndex { $0.failure.isSameBug(as: failure) }
      guard let known else { return described.append((failure, runs)) }
      described[known].runs.formUnion(runs)
      let seconds = [described[known].failure, failure].compactMap(\.seconds)
      if failure.tellsMore(than: described[known].failure) {
        described[known].failure = failure
      }
      described[known].failure.seconds = seconds.isEmpty ? nil : seconds.reduce(0, +)
    }
    let groups = groups(of: leads)
    let results = concurrently(groups.count, jobs: jobs) { index in
      willShrink(index + 1, groups.count, groups[index].best.failure.kind)
      return describe(groups[index], baseline)
    }
    for result in results {
      add(result.failure, result.runs)
      slips += result.slips
    }
    // What no run of the campaign showed, but a smaller program did: its slips are left alone.
    for slip in slips where !kinds.contains(slip.failure.kind) {
      willRun(slip.origin.source, slip.origin.seed)
      var (failure, _) = describe(slip.failure, slip.program, slip.origin, baseline)
      // No program of the campaign has such an order of its blocks: that is no finding about the
      // design.
      if settings.stack != nil, failure.cause == .interleaving { continue }
      kinds.append(slip.failure.kind)
      failure.metWhileShrinking = slip.origin.slippedFrom
      add(failure, RunSet())
    }
    report.allowed = baseline.allowed
    for (failure, runs) in described {
      report.add(failure, shownBy: runs, baseline)
    }
  }

  // MARK: Signatures

  /// One for each signature, in order of appearance.
  private func leads(
    in found: [Found], _ failingRuns: [FailureSignature: RunSet]
  ) -> [Lead] {
    var signatures: [FailureSignature] = []
    for one in found where !signatures.contains(one.failure) { signatures.append(one.failure) }
    return signatures.map { signature in
      let all = found.filter { $0.failure == signature }
      guard let smallest = all.min(by: { $0.finding.example.size < $1.finding.example.size }) else {
        preconditionFailure("a failure that nothing shows")
      }
      var choices = Choices(replaying: smallest.finding.example.recording)
      let configuration = settings.configuration(for: smallest.source, &choices)
      let outcome = ProgramRunner(configuration).run(&choices)
      let origin = Origin(
        seed: smallest.seed, source: smallest.source, configuration: configuration,
        swarm: outcome.swarmText(isWhole: false), wholeSwarm: outcome.swarmText(isWhole: true))
      return Lead(
        failure: signature, runs: failingRuns[signature, default: RunSet()],
        program: outcome.program(showing: signature), origin: origin)
    }
  }

  /// Leads of one kind belong together if their cause and the part of the design are the same. Of
  /// a kind with one signature nothing has to be told apart.
  private func groups(of leads: [Lead]) -> [LeadGroup] {
    let looked = concurrently(leads.count, jobs: jobs) { index -> LeadGroup in
      let lead = leads[index]
      guard leads.count(where: { $0.failure.kind == lead.failure.kind }) > 1 else {
        return LeadGroup(lead)
      }
      willRun(lead.origin.source, lead.origin.seed)
      return look(at: lead)
    }
    return LeadGroup.joining(looked)
  }

  /// How many runs the first look at a lead may take.
  private static let firstLook = 300

  /// Shrinks a lead as far as it takes to attribute it.
  private func look(at lead: Lead) -> LeadGroup {
    let shrunk = ProgramShrinker.shrink(
      lead.program, keeping: lead.failure, lead.origin.configuration,
      budget: FuzzCampaign.firstLook, passes: ProgramPass.allCases.filter { !$0.isThorough })
    let program = shrunk.outcome.program
    let attribution = Attribution(lead.origin.configuration)
    let cause = attribution.cause(of: lead.failure, in: program)
    let part = attribution.part(of: lead.failure, cause, in: program)
    let ways = shrunk.outcome.violations.first {
      $0.kind == lead.failure.kind && lead.failure.admits($0.signature(in: program.stack))
    }?.ways
    return LeadGroup(
      Lead(failure: lead.failure, runs: lead.runs, program: program, origin: lead.origin),
      look: LeadGroup.Look(
        Blame(FailureIdentity(lead.failure.kind, cause), part: part, ways: ways),
        size: shrunk.outcome.size))
  }

  private func describe(
    _ group: LeadGroup, _ baseline: Baseline
  ) -> (
    failure: FailureReport, runs: RunSet,
    slips: [(failure: FailureSignature, program: Program, origin: Origin)]
  ) {
    let lead = group.best
    willRun(lead.origin.source, lead.origin.seed)
    let (failure, met) = describe(lead.failure, lead.program, lead.origin, baseline)
    let origin = lead.origin.slipping(from: lead.failure.kind)
    return (failure, group.runs, met.map { ($0.failure, $0.program, origin) })
  }

  /// How a program that code was recorded as fails, shrunk and explained. Without a certificate it
  /// is shrunk in a hurry.
  package func describe(
    _ target: FailureSignature, recordedAs program: Program, isCertified: Bool
  ) -> FailureReport {
    let origin = Origin(
      seed: RunSeed(settings.seed), source: .generated, configuration: configuration(of: program))
    if isCertified { return describe(target, program, origin, Baseline()).0 }
    let shrunk = ShrinkingPipeline(origin.configuration, budget: FuzzCampaign.hurry)
      .shrunk(program, failingAs: target)
    return describe(target, shrunk, origin).0
  }

  /// How many runs shrinking in a hurry may take.
  private static let hurry = 400

  private func configuration(of program: Program) -> RunConfiguration {
    var configuration = RunConfiguration(model: program.model, quirks: settings.quirks)
    // The stack is the code's own: another would fail for a reason that the code does not have.
    configuration.stack = program.stack
    configuration.stepFilter = StepFilter().forDesign(allowing: [])
    configuration.keepsSubjects = true
    configuration.bugs = PlantedBugSet(settings.bugs)
    configuration.checkLevel = .code
    return configuration
  }

  /// What `baseline` leaves out is shrunk in a hurry.
  func describe(
    _ target: FailureSignature, _ program: Program, _ origin: Origin, _ baseline: Baseline
  ) -> (FailureReport, slips: [ProgramShrinker.Slip]) {
    let start = clock()
    var minimum: ShrinkingPipeline.Result
    if baseline.leavesOut(target.kind) {
      minimum = ShrinkingPipeline(origin.configuration, budget: FuzzCampaign.hurry)
        .shrunk(program, failingAs: target)
      minimum.certificate.verdict = .leftOut
    } else {
      minimum = ShrinkingPipeline(origin.configuration, budget: settings.shrinkBudget)
        .smallest(program, failingAs: target)
    }
    var (report, slips) = describe(target, minimum, origin)
    if let start, let end = clock() { report.seconds = end - start }
    return (report, slips)
  }

  private func describe(
    _ target: FailureSignature, _ minimum: ShrinkingPipeline.Result, _ origin: Origin
  ) -> (FailureReport, slips: [ProgramShrinker.Slip]) {
    let (configuration, kind) = (origin.configuration, target.kind)
    var proving = configuration
    if !proving.checkLevel.proves { proving.checkLevel = .proof }
    let (smallest, timeline) = ProgramRunner(proving).timeline(of: minimum.outcome.program)
    let violation = smallest.violations.first {
      $0.kind == kind && target.admits($0.signature(in: smallest.program.stack))
    }
    let attribution = Attribution(configuration)
    let cause = attribution.cause(of: target, in: smallest.program)
    let part = attribution.part(of: target, cause, in: smallest.program)
    let explanation = Explanation(of: target, in: smallest.program, configuration)
    let report = FailureReport(
      kind: kind, part: part, ways: violation?.ways, waits: violation?.waits ?? [], count: 0,
      firstRun: 0, runs: 0,
      seed: origin.seed, model: origin.source.name, swarm: origin.swarm,
      wholeSwarm: origin.wholeSwarm, cause: cause,
      example: scenario(kind, smallest, origin, violation, cause?.text(in: part), explanation),
      stepCount: smallest.program.stepCount, certificate: minimum.certificate,
      details: smallest.disagreement.map { $0.report(in: smallest.program) }
        ?? violation.map { $0.report(in: smallest.program) },
      precedent: nil, explanation: explanation, timeline: timeline)
    return (report, minimum.slips)
  }

  private func scenario(
    _ kind: FailureKind, _ outcome: Outcome, _ origin: Origin, _ violation: Violation?,
    _ cause: String?, _ explanation: Explanation
  ) -> Scenario {
    var prose = ["Found by chance: \(kind)."]
    if let violation { prose.append("Violated: \(violation.invariant.sentence).") }
    if let cause { prose.append("Cause: \(cause).") }
    prose += [""] + explanation.text
    return Scenario(
      outcome.program, name: kind.fileName, source: "seed \(origin.seed.text)",
      profile: settings.profile, quirks: settings.quirks, modelPath: origin.source.path,
      prose: prose,
      watch: [.awakeFromInsert, .receive, .becamePermanent])
  }
}

extension FailureKind {
  /// What a scenario is called that shows it.
  fileprivate var fileName: String {
    name.split { !($0.isLetter || $0.isNumber) }.joined(separator: "-")
  }
}
