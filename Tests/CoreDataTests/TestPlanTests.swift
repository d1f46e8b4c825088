import CodeReporting
import Determinism
import Failures
import Testing
import Vocabulary

@Suite struct `A schedule token` {
  @Test(
    arguments: [
      [], [[], [], [3, 0, 0, 1]], [[2], [0, 0, 0, 7, 0, 9], []], [[0, 1], [], [4_294_967_295]],
    ] as [[[UInt32]]])
  func `a token can be read back into its choices`(streams: [[UInt32]]) throws {
    let recording = Choices.Recording(streams: streams)
    let word = "\(ScheduleToken(recording))"
    #expect(word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-.".contains($0)) })
    let read = try #require(ScheduleToken(word)?.recording, "\(word)")
    #expect(read.streams.map(withoutLastZeros) == recording.streams.map(withoutLastZeros))
  }

  /// Drops trailing zeros, which have no effect because an exhausted stream yields zeros.
  private func withoutLastZeros(_ stream: [UInt32]) -> [UInt32] {
    Array(stream.reversed().drop { $0 == 0 }.reversed())
  }

  @Test func `a token abbreviates repeated zeros by their count`() {
    let streams: [[UInt32]] = [[2], [], [0, 1, 0, 0, 0, 5, 0]]
    #expect("\(ScheduleToken(Choices.Recording(streams: streams)))" == "2..0-1-x3-5")
    #expect("\(ScheduleToken(Choices.Recording()))" == "0")
  }

  @Test(arguments: [
    "", "a", "x0", "x", "1--2", "-1", "1-", "1.2.3.4", "+1", "4294967296", "x99999999",
  ])
  func `a malformed word is not a token`(word: String) {
    #expect(ScheduleToken(word) == nil)
  }
}

@Suite struct `Test settings in the environment` {
  @Test func `settings are read from environment variables`() {
    let plan = TestPlan([
      "FAULTLINE_SCHEDULES": "500", "FAULTLINE_ALLOW": "temporary ID leak, error NSError",
      "FAULTLINE_SCHEDULE": "1..x3-2", "FAULTLINE_SCENARIOS": "Scenarios",
      "FAULTLINE_CHECKOUT": "/app", "PATH": "/bin",
    ])
    #expect(plan.problems == [] && plan.schedules == 500 && plan.folder == "Scenarios")
    #expect(plan.allowed == ["temporary ID leak", "error NSError"])
    #expect(plan.schedule?.recording.streams == [[1], [], [0, 0, 0, 2]])
    let none = TestPlan(["FAULTLINE_SCHEDULES": "", "FAULTLINE_SCENARIOS": ""])
    #expect(none.problems == [] && none.isInOrder && none.folder == nil)
    // A test case may specify the number of its runs in code.
    #expect(TestPlan(schedules: 0, allowed: []).problems.count == 1)
  }

  @Test(arguments: [
    ("FAULTLINE_SCHEDULES", "abc", "FAULTLINE_SCHEDULES is 'abc'; it takes a number of schedules"),
    ("FAULTLINE_SCHEDULES", "0", "from 1 to 1,000,000"),
    ("FAULTLINE_SCHEDULE", "abc", "FAULTLINE_SCHEDULE is 'abc'; it takes the value in the line"),
    ("FAULTLINE_ALLOW", "lost upate", "'lost upate': did you mean 'lost update'?"),
    ("FAULTLINE_ALLOW", "everything", "'everything'; the article Invariants lists the names"),
    (
      "FAULTLINE_SHEDULES", "500",
      "no variable FAULTLINE_SHEDULES: did you mean FAULTLINE_SCHEDULES?"
    ),
    ("FAULTLINE_ALLOWED", "deadlock", "did you mean FAULTLINE_ALLOW?"),
  ])
  func `an invalid setting is reported`(name: String, value: String, problem: String) throws {
    let problems = TestPlan([name: value]).problems
    #expect(problems.count == 1 && problems[0].contains(problem), "\(problems)")
  }
}

@Suite struct `A cause of a failure in code` {
  @Test(arguments: [
    Cause.mergePolicy(.overwrite), .automaticMerge, .observer, .entryPoint, .interleaving, .design,
    .program, .severalRoots, .severalCoordinators, .quirk(.childSaveIgnoresMergePolicy),
  ])
  func `a cause does not mention stacks, programs or entry points`(cause: Cause) {
    let text = cause.text(inCodeOf: "importer")
    for word in ["stack", "program", "entry"] { #expect(!text.contains(word), "\(text)") }
  }

  @Test func `a cause names the context that has the merge policy`() {
    #expect(
      Cause.mergePolicy(.overwrite).text(inCodeOf: "importer")
        == "merge policy overwrite of importer")
  }
}

@Suite struct `A test without a failure` {
  @Test func `a passed test reports how rare a failure can still be`() {
    #expect(
      TestPlan(schedules: 1_000, allowed: []).assurance("ImportXCTests.testImport")
        == "ImportXCTests.testImport: no failure in 1,000 schedules. A failure in 1 of 330 schedules "
        + "would have shown with 95 % confidence.")
  }
}
