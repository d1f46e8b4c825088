package import Diagnosis
import Execution
import Failures
import Invariants
import PropertyTesting
package import Shrinking
import Vocabulary

/// A shrunk and diagnosed bucket, with the runs of every bucket that has the same cause.
package struct DiagnosedBucket: Sendable {
  /// The bucket with its shrunk program.
  package internal(set) var bucket: FailureBucket
  package let blame: Blame
  let size: ProgramSize
  /// The parts of the design and the contexts in which runs showed the finding.
  private(set) var sightings: Sightings
  /// Other failures that shrinking caused.
  var slips: [ProgramShrinker.Slip] = []
  /// Sliced buckets of this finding, the shortest first. Each of them may shrink to a smaller
  /// program.
  private(set) var alternatives: [FailureBucket] = []
  /// The time that the diagnosis took, in seconds, or 0 without a clock.
  var seconds = 0.0

  package init(_ bucket: FailureBucket, _ blame: Blame, size: ProgramSize) {
    (self.bucket, self.blame, self.size) = (bucket, blame, size)
    sightings = bucket.sightings
  }

  /// The maximum number of alternatives of a finding.
  private static let alternativeLimit = 4

  /// Adds the runs of a sliced bucket. Keeps the bucket as an alternative if it is among the
  /// shortest.
  mutating func join(_ sliced: FailureBucket) {
    bucket.runs.formUnion(sliced.runs)
    sightings.add(sliced.sightings)
    let stepCount = sliced.program.stepCount
    let place = alternatives.firstIndex { $0.program.stepCount > stepCount }
    alternatives.insert(sliced, at: place ?? alternatives.count)
    alternatives = Array(alternatives.prefix(DiagnosedBucket.alternativeLimit))
  }

  /// Adds the runs of `other`, a bucket of the same finding. Takes its program if that program is
  /// more informative or smaller.
  mutating func join(_ other: DiagnosedBucket) {
    let (mine, theirs) = (blame.tellingRank, other.blame.tellingRank)
    let tellsMore = mine == theirs ? other.size < size : theirs.lexicographicallyPrecedes(mine)
    var result = tellsMore ? other : self
    result.bucket.runs = bucket.runs
    result.bucket.runs.formUnion(other.bucket.runs)
    result.sightings = sightings
    result.sightings.add(other.sightings)
    result.slips = slips + other.slips
    result.alternatives = Array(
      (alternatives + other.alternatives).prefix(DiagnosedBucket.alternativeLimit))
    result.seconds = seconds + other.seconds
    self = result
  }
}

extension [DiagnosedBucket] {
  /// Adds a bucket, or joins it with the finding that has an equal key.
  package mutating func add(_ next: DiagnosedBucket) {
    if let known = firstIndex(where: { $0.blame.key == next.blame.key }) {
      self[known].join(next)
    } else {
      append(next)
    }
  }
}

extension FailureBucket {
  fileprivate var sightings: Sightings {
    Sightings(of: failure, in: runs, on: origin.configuration.stack)
  }

  /// The maximum number of runs of a shrink for a diagnosis.
  private static let shrinkBudget = 300

  /// Returns the bucket with its program shrunk by `passes`, and the cause of its failure.
  func diagnosed(by passes: [ProgramPass] = ProgramPass.structural) -> DiagnosedBucket {
    let (bucket, shrunk) = shrunk(by: passes)
    var result = bucket.diagnosed(shrunk.outcome)
    result.slips = shrunk.slips
    return result
  }

  /// Returns the bucket with the cause of its failure. Does not shrink the program, whose run
  /// produced `outcome`.
  ///
  /// - Parameter scheduleCount: The number of other schedules under which an intervention must
  ///   prevent the failure.
  func diagnosed(_ outcome: Outcome, scheduleCount: Int = 24) -> DiagnosedBucket {
    let experiment = Experiment(
      of: failure, in: program, origin.configuration, scheduleCount: scheduleCount)
    let cause = experiment.cause
    let shown = outcome.violations.first {
      $0.kind == failure.kind && failure.admits($0.signature(in: program.stack))
    }
    return DiagnosedBucket(
      self,
      Blame(
        FailureIdentity(failure.kind, cause), part: experiment.part(for: cause),
        role: failure.detail?.role, ways: shown?.ways, subject: shown?.subject,
        hasGeneratedModel: origin.source.isGenerated),
      size: outcome.size)
  }

  /// Returns the bucket without the steps that the proof of its failure does not need, and the run
  /// of the sliced program.
  func sliced() -> (bucket: FailureBucket, result: ProgramShrinker.Result) {
    let result = ProgramShrinker.slice(program, keeping: failure, origin.configuration)
    var bucket = self
    bucket.program = result.outcome.program
    return (bucket, result)
  }

  /// Returns the bucket with its program shrunk by `passes`, and the run of the shrunk program.
  func shrunk(by passes: [ProgramPass]) -> (bucket: FailureBucket, result: ProgramShrinker.Result) {
    let result = ProgramShrinker.shrink(
      program, keeping: failure, origin.configuration, budget: FailureBucket.shrinkBudget,
      passes: passes)
    var bucket = self
    bucket.program = result.outcome.program
    return (bucket, result)
  }
}

extension DiagnosedBucket {
  /// Returns the finding with the smallest program that this bucket and its alternatives shrink to.
  func withBestAlternative() -> DiagnosedBucket {
    var best = self
    for alternative in alternatives where alternative.failure.kind == blame.kind {
      let other = alternative.diagnosed()
      if other.blame.key == blame.key, other.size < best.size { best = other }
    }
    (best.bucket.runs, best.slips, best.seconds) = (bucket.runs, slips, seconds)
    best.sightings = sightings
    return best
  }

  /// Returns the finding with a simpler program that fails for the same cause, if the passes find
  /// one.
  func polished() -> DiagnosedBucket {
    var next = bucket.diagnosed(by: ProgramPass.allCases.filter { !$0.isThorough })
    guard next.blame.key == blame.key, next.size < size else { return self }
    next.slips += slips
    (next.seconds, next.sightings) = (seconds, sightings)
    return next
  }
}
