import Campaigns
import Execution
import Failures
import InputFiles
import Scenario
import ScenarioChecking
import Shrinking
import Testing
import Vocabulary

/// Leads of one kind of failure, before they are shrunk for good.
@Suite struct `Leads to a failure` {
  private static let kind: FailureKind = "stale copy"
  private static let part = DesignPart.observer(of: .didSave, by: "work", in: "view")

  /// The lead of run `number`, whose program has `count` steps.
  private func lead(
    _ number: Int, steps count: Int, _ cause: Cause, _ part: DesignPart?, _ ways: ChangeWays = []
  ) throws -> LeadGroup {
    var program = Program(
      try ScenarioFile.read(
        path: "\(Repository.root)/Scenarios/Conflicts/last-child-wins.scenario"))
    program.steps = Array(program.steps.prefix(count))
    var runs = RunSet()
    runs.insert(number)
    let origin = Origin(
      seed: RunSeed(UInt64(number)), source: .generated,
      configuration: RunConfiguration(model: program.model, quirks: Profile.current.quirks))
    return LeadGroup(
      Lead(failure: FailureSignature(Self.kind), runs: runs, program: program, origin: origin),
      look: LeadGroup.Look(
        Blame(FailureIdentity(Self.kind, cause), part: part, ways: ways),
        size: ProgramSize(program, preemptionCount: 0)))
  }

  @Test func `are one if cause, part and group are the same, with the smallest program`() throws {
    let all = [
      try lead(1, steps: 4, .observer, Self.part),
      try lead(2, steps: 3, .observer, Self.part),
      try lead(3, steps: 5, .observer, Self.part),
    ]
    let joined = LeadGroup.joining(all)
    #expect(joined.count == 1)
    #expect(joined[0].runs.count == 3 && joined[0].runs.first == 1)
    #expect(joined[0].best.program.steps.count == 3)
  }

  /// What the program does only to itself would hide the design's bug of that cause, or be hidden.
  @Test func `are two if one is misuse by the program`() throws {
    let design = try lead(1, steps: 4, .design, nil)
    let misuse = try lead(2, steps: 3, .design, nil, .programsMerge)
    for all in [[design, misuse], [misuse, design]] {
      let joined = LeadGroup.joining(all)
      #expect(joined.map(\.runs.count) == [1, 1])
      #expect(joined.map(\.best.program.steps.count) == all.map(\.best.program.steps.count))
    }
  }

  @Test func `are two if the cause or the part is another`() throws {
    let one = try lead(1, steps: 4, .observer, Self.part)
    let others = [
      try lead(2, steps: 3, .mergePolicy(.error), nil),
      try lead(3, steps: 3, .observer, .observer(of: .didSave, by: "sync", in: "view")),
    ]
    #expect(LeadGroup.joining([one] + others).count == 3)
  }

  /// A kind with one signature has nothing to be told apart from.
  @Test func `stay as they are if none was looked at`() throws {
    var all = [
      try lead(1, steps: 4, .observer, Self.part),
      try lead(2, steps: 3, .observer, Self.part),
    ]
    for index in all.indices { all[index].look = nil }
    #expect(LeadGroup.joining(all).count == 2)
  }
}
