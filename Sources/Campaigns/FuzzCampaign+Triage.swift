import Determinism
import Diagnosis
import Execution
import Failures
import PropertyTesting
import Shrinking
import Vocabulary

/// Groups failing runs into findings.
extension FuzzCampaign {
  /// The findings to which the failing runs of a campaign reduce.
  struct TriageResult {
    /// The kinds of failures that runs showed, in order of appearance.
    var kinds: [FailureKind] = []
    var findings: [DiagnosedLead] = []
    /// The kinds of the leads that were not examined because the time was up.
    var unexamined: [FailureKind] = []
  }

  /// Examines the leads of each kind. Joins findings of different kinds that describe the same
  /// harm.
  func triage(
    _ found: [Found], _ failingRuns: [FailureSignature: RunSet], _ baseline: Baseline
  ) -> TriageResult {
    var kinds: [FailureKind] = []
    for one in found where !kinds.contains(one.failure.kind) { kinds.append(one.failure.kind) }
    let results = concurrently(kinds.count, jobs: jobs) { [kinds] index in
      triage(kinds[index], found, failingRuns, isLeftOut: baseline.leavesOut(kinds[index]))
    }
    var result = TriageResult(kinds: kinds)
    for one in results {
      for finding in one.findings { result.findings.add(finding) }
      result.unexamined += one.unexamined
    }
    return result
  }

  /// Examines the leads of one kind. If the campaign leaves out the kind, only the smallest lead is
  /// examined.
  private func triage(
    _ kind: FailureKind, _ found: [Found], _ failingRuns: [FailureSignature: RunSet],
    isLeftOut: Bool
  ) -> TriageResult {
    var leads = leads(of: kind, in: found, failingRuns)
    if isLeftOut, var smallest = leads.first {
      for other in leads { smallest.runs.formUnion(other.runs) }
      leads = [smallest]
    }
    var result = TriageResult()
    for lead in leads {
      if isOutOfTime() {
        result.unexamined.append(kind)
        continue
      }
      willRun(lead.origin.source, lead.origin.seed)
      examine(lead, &result.findings)
    }
    return result
  }

  /// Slices the program of a lead by the proof of its failure, diagnoses it, and joins the lead
  /// with the finding of the same key.
  ///
  /// A lead is shrunk only if no finding has its key. The slice is necessary because a long program
  /// may fail for several causes and would join the wrong finding.
  private func examine(_ lead: Lead, _ findings: inout [DiagnosedLead]) {
    let start = clock()
    var lead = lead
    lead.prepareTables()
    let (sliced, result) = stageTimes.measure(.slicing, clock) { [lead] in lead.sliced() }
    let blame = stageTimes.measure(.triage, clock) {
      sliced.diagnosed(result.outcome, scheduleCount: 8).blame
    }
    if let known = findings.firstIndex(where: { $0.blame.key == blame.key }) {
      return findings[known].join(sliced)
    }
    var finding = stageTimes.measure(.shrinking, clock) { sliced.diagnosed() }
    if let start, let end = clock() { finding.seconds = end - start }
    findings.add(finding)
  }

  /// Returns a lead for each signature of the kind, the shortest program first.
  private func leads(
    of kind: FailureKind, in found: [Found], _ failingRuns: [FailureSignature: RunSet]
  ) -> [Lead] {
    var smallest: [Found] = []
    for one in found where one.failure.kind == kind {
      if let known = smallest.firstIndex(where: { $0.failure == one.failure }) {
        if one.finding.example.size < smallest[known].finding.example.size {
          smallest[known] = one
        }
      } else {
        smallest.append(one)
      }
    }
    let leads = smallest.map { lead($0, failingRuns[$0.failure, default: RunSet()]) }
    return leads.enumerated().sorted { a, b in
      (a.element.program.stepCount, a.offset) < (b.element.program.stepCount, b.offset)
    }.map(\.element)
  }

  private func lead(_ found: Found, _ runs: RunSet) -> Lead {
    var choices = Choices(replaying: found.finding.example.recording)
    let configuration = settings.configuration(for: found.source, &choices)
    var quick = configuration
    quick.comparesWithReference = found.failure.kind.invariant == nil
    let outcome = ProgramRunner(quick).run(&choices)
    let origin = Origin(
      seed: found.seed, source: found.source, configuration: configuration,
      swarm: outcome.swarmText(isWhole: false), wholeSwarm: outcome.swarmText(isWhole: true))
    return Lead(
      failure: found.failure, runs: runs, program: outcome.program(showing: found.failure),
      origin: origin)
  }
}
