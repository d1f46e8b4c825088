import Campaigns
import Diagnosis
import Execution
import Failures
import InputFiles
import ScenarioChecking
import Shrinking
import TestSupport
import Testing
import Vocabulary

/// Buckets of one kind of failure, before they are shrunk completely.
@Suite struct `Buckets of a failure` {
  private static let kind: FailureKind = "stale copy"
  private static let part = DesignPart.observer(of: .didSave, by: "work", in: "view")

  /// Returns the bucket of run `number`, whose program has `count` steps.
  private func bucket(
    _ number: Int, steps count: Int, _ cause: Cause, _ part: DesignPart?, _ ways: ChangeWays = []
  ) throws -> DiagnosedBucket {
    var program = Program(
      try ScenarioFile.read(
        path: "\(Repository.root)/Scenarios/Conflicts/last-child-wins.scenario"))
    program.steps = Array(program.steps.prefix(count))
    var runs = RunSet()
    runs.insert(number)
    let origin = Origin(
      seed: RunSeed(UInt64(number)), source: .generated,
      configuration: RunConfiguration(model: program.model, quirks: Profile.current.quirks))
    return DiagnosedBucket(
      FailureBucket(
        failure: FailureSignature(Self.kind), runs: runs, program: program, origin: origin),
      Blame(FailureIdentity(Self.kind, cause), part: part, ways: ways),
      size: ProgramSize(program, preemptionCount: 0))
  }

  private func joined(_ all: [DiagnosedBucket]) -> [DiagnosedBucket] {
    all.reduce(into: []) { $0.add($1) }
  }

  @Test func `buckets are one if cause, part and group are the same`() throws {
    let all = [
      try bucket(1, steps: 4, .observer, Self.part),
      try bucket(2, steps: 3, .observer, Self.part),
      try bucket(3, steps: 5, .observer, Self.part),
    ]
    let joined = joined(all)
    #expect(joined.count == 1)
    #expect(joined[0].bucket.runs.count == 3 && joined[0].bucket.runs.first == 1)
    #expect(joined[0].bucket.program.steps.count == 3)
  }

  /// A failure that the program causes alone would hide the design's bug with the same cause, or be
  /// hidden by it.
  @Test func `buckets are two if one is misuse by the program`() throws {
    let design = try bucket(1, steps: 4, .design, nil)
    let misuse = try bucket(2, steps: 3, .design, nil, .programsMerge)
    for all in [[design, misuse], [misuse, design]] {
      let joined = joined(all)
      #expect(joined.map(\.bucket.runs.count) == [1, 1])
      #expect(joined.map(\.bucket.program.steps.count) == all.map(\.bucket.program.steps.count))
    }
  }

  @Test func `buckets are two if the cause or the part is another`() throws {
    let one = try bucket(1, steps: 4, .observer, Self.part)
    let others = [
      try bucket(2, steps: 3, .mergePolicy(.error), nil),
      try bucket(3, steps: 3, .observer, .observer(of: .didSave, by: "sync", in: "view")),
    ]
    #expect(joined([one] + others).count == 3)
  }
}
