import Determinism
import Diagnosis
import Execution
import Failures
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

/// Turns findings into failures of a report. Shrinks, certifies and explains the failures that the
/// report shows in full.
extension FuzzCampaign {
  /// A failure that shrinking caused and no run of the campaign showed.
  private typealias Slip = (failure: FailureSignature, program: Program, origin: Origin)

  func describe(
    _ found: [Found], _ failingRuns: [FailureSignature: RunSet], _ baseline: Baseline,
    in report: inout CampaignReport
  ) {
    let triage = triage(found, failingRuns, baseline)
    let findings = triage.findings
    let described = describe(findings, baseline)
    var all: [DescribedFailure] = []
    for (finding, result) in zip(findings, described) {
      all.add(DescribedFailure(failure: result.failure, runs: finding.bucket.runs))
    }
    let slips = zip(findings, described).flatMap { finding, result in
      result.slips.map {
        ($0.failure, $0.program, finding.bucket.origin.slipping(from: finding.blame.kind))
      }
    }
    describe(slips, besides: triage.kinds, baseline, into: &all)
    report.allowed = baseline.allowed
    report.unexamined = triage.unexamined
    for one in all { report.add(one.failure, shownBy: one.runs, baseline) }
  }

  private typealias Description = (failure: FailureReport, slips: [ProgramShrinker.Slip])

  /// Returns the findings as failures, in the same order. Findings are described in the order of
  /// severity. Each failure is announced once it and all more severe failures are described.
  private func describe(_ findings: [DiagnosedBucket], _ baseline: Baseline) -> [Description] {
    let order = indicesBySeverity(findings)
    let shown = indicesShown(of: findings, order, baseline)
    let announcements = InOrder<FailureReport> { [didDescribe] in didDescribe($0) }
    let described = concurrently(order.count, jobs: jobs) { place in
      let finding = findings[order[place]]
      willShrink(place + 1, order.count, finding.blame.kind)
      var result = describe(
        finding,
        uncertified: shown.contains(order[place])
          ? nil : baseline.leavesOut(finding.blame.kind) ? .leftOut : .inBrief)
      result.failure.count = finding.bucket.runs.count
      announcements.note(result.failure, at: place)
      return result
    }
    var results: [Description?] = findings.map { _ in nil }
    for (index, result) in zip(order, described) { results[index] = result }
    return results.compactMap(\.self)
  }

  /// Adds a failure of each kind that first appeared during shrinking. Failures found while
  /// shrinking these programs are ignored.
  private func describe(
    _ slips: [Slip], besides kinds: [FailureKind], _ baseline: Baseline,
    into all: inout [DescribedFailure]
  ) {
    var kinds = kinds
    for slip in slips where !kinds.contains(slip.failure.kind) && !isOutOfTime() {
      willRun(slip.origin.source, slip.origin.seed)
      let bucket = FailureBucket(
        failure: slip.failure, runs: RunSet(), program: slip.program, origin: slip.origin)
      let isLeftOut = baseline.leavesOut(slip.failure.kind)
      var (failure, _) = describe(
        bucket.diagnosed(), uncertified: isLeftOut ? .leftOut : certifiedCount.map { _ in .inBrief }
      )
      // No program of the campaign runs its blocks in this order, so the failure is not a finding
      // about the design.
      if settings.stack != nil, failure.cause == .interleaving { continue }
      kinds.append(slip.failure.kind)
      failure.metWhileShrinking = slip.origin.slippedFrom
      all.add(DescribedFailure(failure: failure, runs: RunSet()))
    }
  }

  /// Returns the indices in `order` of the findings that the report shows in full. Known failures
  /// and warnings about Core Data itself are shown in full only by reports that show everything.
  private func indicesShown(
    of findings: [DiagnosedBucket], _ order: [Int], _ baseline: Baseline
  ) -> Set<Int> {
    let candidates = order.filter { index in
      let blame = findings[index].blame
      let precedent = blame.cause.flatMap {
        baseline.known.precedent(
          for: blame.kind, $0, of: blame.subject, like: findings[index].bucket.program)
      }
      let isCounted = !baseline.leavesUncounted(blame.group, onDesign: settings.stack != nil)
      let standing = baseline.standing(of: blame.kind, blame.group, precedent)
      let isShown =
        standing == .new || standing == .warning && blame.group != .frameworkBehaviour
      return isCounted && (certifiedCount == nil || isShown) && !baseline.leavesOut(blame.kind)
    }
    return Set(candidates.prefix(certifiedCount ?? candidates.count))
  }

  /// Returns the indices of the findings, the most severe first.
  private func indicesBySeverity(_ findings: [DiagnosedBucket]) -> [Int] {
    func rank(_ index: Int) -> [Int] {
      findings[index].blame.rank + [-findings[index].bucket.runs.count, index]
    }
    return findings.indices.sorted { rank($0).lexicographicallyPrecedes(rank($1)) }
  }

  /// Returns the finding as a failure of the report, with further failures that shrinking caused.
  ///
  /// - Parameter verdict: The reason why the finding is not certified. Nil for a finding that the
  ///   report shows in full.
  func describe(
    _ finding: DiagnosedBucket, uncertified verdict: Certificate.Verdict?
  ) -> (failure: FailureReport, slips: [ProgramShrinker.Slip]) {
    let start = clock()
    willRun(finding.bucket.origin.source, finding.bucket.origin.seed)
    let isShown = verdict == nil && !isOutOfTime()
    let isKept = keepsExamples && verdict == .inBrief
    let polished = stageTimes.measure(.shrinking, clock) {
      isShown
        ? finding.withBestAlternative().polished()
        : isKept && !isOutOfTime() ? finding.polished() : finding
    }
    let bucket = polished.bucket
    var minimum: ShrinkingPipeline.Result
    if isShown, !isOutOfTime() {
      var pipeline = ShrinkingPipeline(
        bucket.origin.configuration, budget: settings.shrinkBudget, budgets: budgets,
        isOutOfTime: isOutOfTime)
      pipeline.aroundSearch = { stageTimes.measure(.proof, within: .shrinking, clock, $0) }
      minimum = stageTimes.measure(.shrinking, clock) {
        pipeline.smallest(bucket.program, failingAs: bucket.failure, because: finding.blame.cause)
      }
    } else {
      minimum = ShrinkingPipeline.Result(
        ProgramRunner(bucket.origin.configuration).run(bucket.program), verdict ?? .inBrief)
    }
    var (report, slips) = stageTimes.measure(.explanation, clock) {
      describe(bucket.failure, minimum, bucket.origin, isShown: isShown)
    }
    report.sightings = finding.sightings
    if let start, let end = clock() { report.seconds = finding.seconds + end - start }
    return (report, polished.slips + slips)
  }

  private func describe(
    _ target: FailureSignature, _ minimum: ShrinkingPipeline.Result, _ origin: Origin,
    isShown: Bool = true
  ) -> (FailureReport, slips: [ProgramShrinker.Slip]) {
    let (configuration, kind) = (origin.configuration, target.kind)
    var proving = configuration
    if !proving.checkLevel.proves { proving.checkLevel = .proof }
    let (smallest, timeline) = ProgramRunner(proving).timeline(of: minimum.outcome.program)
    let violation = smallest.violations.first {
      $0.kind == kind && target.admits($0.signature(in: smallest.program.stack))
    }
    let experiment = Experiment(of: target, in: smallest.program, configuration)
    let cause = experiment.cause
    let part = experiment.part(for: cause)
    let accesses = experiment.accesses(for: cause, in: part, violation)
    let explanation = isShown ? explanation(of: target, in: smallest.program, configuration) : nil
    let report = FailureReport(
      kind: kind, part: part, role: target.detail?.role, ways: violation?.ways,
      subject: violation?.subject,
      waits: violation?.waits ?? [], count: 0,
      firstRun: 0, runs: 0,
      seed: origin.seed, model: origin.source.name, swarm: origin.swarm,
      wholeSwarm: origin.wholeSwarm, cause: cause,
      accesses: accesses,
      furtherCauses: isShown ? experiment.furtherCauses(besides: cause, in: part) : [],
      example: scenario(
        kind, smallest, origin, violation, accesses?.text ?? cause?.text(in: part), explanation),
      stepCount: smallest.program.stepCount, certificate: minimum.certificate,
      details: smallest.disagreement.map { $0.report(in: smallest.program) }
        ?? violation.map { $0.report(in: smallest.program) },
      precedent: nil, explanation: explanation, timeline: timeline)
    return (report, minimum.slips)
  }

  private func explanation(
    of target: FailureSignature, in program: Program, _ configuration: RunConfiguration
  ) -> Explanation {
    Explanation(of: target, in: program, configuration, scheduleLimit: budgets.schedules)
  }

  /// The budgets of searches. A report that shows some failures in brief has small budgets, because
  /// a person waits for it.
  private var budgets: SearchBudgets { certifiedCount == nil ? .full : .brief }

  private func scenario(
    _ kind: FailureKind, _ outcome: Outcome, _ origin: Origin, _ violation: Violation?,
    _ cause: String?, _ explanation: Explanation?
  ) -> Scenario {
    var prose = ["Found by random testing: \(kind)."]
    if let violation { prose.append("Violated: \(violation.invariant.sentence).") }
    if let cause { prose.append("Cause: \(cause).") }
    if let explanation { prose += [""] + explanation.text }
    return Scenario(
      outcome.program, name: kind.fileName, source: "seed \(origin.seed.text)",
      profile: settings.profile, quirks: settings.quirks, modelPath: origin.source.path,
      prose: prose,
      watch: [.awakeFromInsert, .receive, .becamePermanent])
  }
}

/// A failure of a report, with the runs that show it.
private struct DescribedFailure {
  var failure: FailureReport
  var runs: RunSet
}

extension [DescribedFailure] {
  /// Adds a failure, or joins it with the failure that has an equal key. Shrinking may change the
  /// cause of an example to that of another failure.
  fileprivate mutating func add(_ next: DescribedFailure) {
    guard let known = firstIndex(where: { $0.failure.blame.key == next.failure.blame.key }) else {
      return append(next)
    }
    let (old, new) = (self[known].failure, next.failure)
    self[known].runs.formUnion(next.runs)
    var sightings = old.sightings
    if let others = new.sightings { sightings?.add(others) }
    if new.tellsMore(than: old) { self[known].failure = new }
    self[known].failure.sightings = sightings
    let seconds = [old, new].compactMap(\.seconds)
    self[known].failure.seconds = seconds.isEmpty ? nil : seconds.reduce(0, +)
  }
}

extension FailureKind {
  /// The file name of a scenario that shows this kind of failure.
  fileprivate var fileName: String {
    name.split { !($0.isLetter || $0.isNumber) }.joined(separator: "-")
  }
}
