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
    var findings: [DiagnosedBucket] = []
    /// The kinds of the buckets that were not examined because the time was up.
    var unexamined: [FailureKind] = []
  }

  /// Examines the buckets of each kind. Joins findings of different kinds that describe the same
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

  /// Examines the buckets of one kind. If the campaign leaves out the kind, only the smallest
  /// bucket is examined.
  private func triage(
    _ kind: FailureKind, _ found: [Found], _ failingRuns: [FailureSignature: RunSet],
    isLeftOut: Bool
  ) -> TriageResult {
    var buckets = buckets(of: kind, in: found, failingRuns)
    if isLeftOut, var smallest = buckets.first {
      for other in buckets { smallest.runs.formUnion(other.runs) }
      buckets = [smallest]
    }
    var result = TriageResult()
    for bucket in buckets {
      if isOutOfTime() {
        result.unexamined.append(kind)
        continue
      }
      willRun(bucket.origin.source, bucket.origin.seed)
      examine(bucket, &result.findings)
    }
    return result
  }

  /// Slices the program of a bucket by the proof of its failure, diagnoses it, and joins the bucket
  /// with the finding of the same key.
  ///
  /// A bucket is shrunk only if no finding has its key. The slice is necessary because a long
  /// program may fail for several causes and would join the wrong finding.
  private func examine(_ bucket: FailureBucket, _ findings: inout [DiagnosedBucket]) {
    let start = clock()
    var bucket = bucket
    bucket.prepareTables()
    let (sliced, result) = stageTimes.measure(.slicing, clock) { [bucket] in bucket.sliced() }
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

  /// Returns a bucket for each signature of the kind, the shortest program first.
  private func buckets(
    of kind: FailureKind, in found: [Found], _ failingRuns: [FailureSignature: RunSet]
  ) -> [FailureBucket] {
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
    let buckets = smallest.map { bucket($0, failingRuns[$0.failure, default: RunSet()]) }
    return buckets.enumerated().sorted { a, b in
      (a.element.program.stepCount, a.offset) < (b.element.program.stepCount, b.offset)
    }.map(\.element)
  }

  private func bucket(_ found: Found, _ runs: RunSet) -> FailureBucket {
    var choices = Choices(replaying: found.finding.example.recording)
    let configuration = settings.configuration(for: found.source, &choices)
    var quick = configuration
    quick.comparesWithReference = found.failure.kind.invariant == nil
    let outcome = ProgramRunner(quick).run(&choices)
    let origin = Origin(
      seed: found.seed, source: found.source, configuration: configuration,
      swarm: outcome.swarmText(isWhole: false), wholeSwarm: outcome.swarmText(isWhole: true))
    return FailureBucket(
      failure: found.failure, runs: runs, program: outcome.program(showing: found.failure),
      origin: origin)
  }
}
