import Failures
import Faultline
import FaultlineTesting
import Foundation
import Generation
import TestSupport
import Testing

/// The interface for a project's own tests.
@Suite struct `A fuzzer` {
  private static let example = Repository.root + "/Fixtures/Example/Tests/NotesTests"
  private static let steps: [StepKind] = [.insert, .set, .get, .fetch, .save]

  private func fuzzer(
    _ stack: String, runs: Int = 150, expected: [ViolationKind] = [],
    allowed: [ViolationKind] = []
  ) -> Fuzzer {
    Fuzzer(
      model: "Notes.model", stack: stack, runs: runs, onlySteps: Self.steps, expected: expected,
      allowed: allowed, file: Self.example + "/NotesTests.swift")
  }

  @Test func `a fuzzer passes if nothing is violated`() async throws {
    try await fuzzer("Main.stack").check()
  }

  @Test func `a fuzzer throws a report with diagram, scenario and replay line`() async throws {
    let error = try await #require(throws: UnexpectedOutcome.self) {
      try await fuzzer("Form.stack").check()
    }
    #expect(error.failures.contains { $0.kind == "lost update" })
    #expect(error.missing.isEmpty)
    let failure = try #require(error.failures.first { $0.kind == "lost update" })
    #expect(failure.count > 0 && failure.firstRun > 0 && !failure.isDisagreement)
    #expect(failure.diagram.hasPrefix("step  ") && failure.diagram.contains("save"))
    #expect(failure.scenario.contains("scenario  lost-update\n"))
    #expect(failure.scenarioName == "lost-update.scenario")
    #expect(failure.page.contains("<html") && failure.page.contains("<svg"))
    #expect(failure.cause == "quirk childSaveIgnoresMergePolicy")
    #expect(failure.remedy?.contains("refresh") == true)
    let words = "--stack \(Self.example)/Form.stack --only-steps insert"
    #expect(failure.replay.contains("faultline replay 0x") && failure.replay.contains(words))
    #expect(error.description.contains("── lost update · "))
    #expect(error.description.contains(failure.scenario))
  }

  @Test func `a fuzzer computes where no other task waits`() async throws {
    let isTask = try await besideTasks {
      unsafe withUnsafeCurrentTask { unsafe $0 != nil }
    }
    #expect(!isTask)
    await #expect(throws: CancellationError.self) {
      try await besideTasks { throw CancellationError() }
    }
  }

  /// The comments of a test's issues.
  private final class Comments: @unchecked Sendable {
    var all: [String] = []
  }

  @Test func `a fuzzer records a short issue for each failure`() async throws {
    let comments = Comments()
    let fuzzer = fuzzer("Form.stack", runs: 30)
    try await withKnownIssue {
      try await fuzzer.record()
    } matching: { issue in
      comments.all += issue.comments.map(\.rawValue)
      return true
    }
    let lost = try #require(comments.all.first { $0.hasPrefix("lost update (in ") })
    #expect(lost.contains("✗ lost update") && lost.contains("remedy: "))
    #expect(lost.split(separator: "\n").count < 20)
    #expect(Set(comments.all).count == comments.all.count && comments.all.count > 2)
  }

  @Test func `a fuzzer records an issue if an expected failure is not found`() async throws {
    let comments = Comments()
    let fuzzer = fuzzer("Main.stack", runs: 10, expected: [.lostUpdate])
    try await withKnownIssue {
      try await fuzzer.record()
    } matching: { issue in
      comments.all += issue.comments.map(\.rawValue)
      return true
    }
    #expect(comments.all == ["expected, but not found: lost update"])
  }

  @Test func `a campaign that is a trait of a test runs before the test's body`() async throws {
    let comments = Comments()
    let trait: CampaignTrait = .faultline(
      model: "Notes.model", stack: "Form.stack", runs: 10, onlySteps: Self.steps,
      file: Self.example + "/NotesTests.swift")
    let test = try #require(Test.current)
    try await withKnownIssue {
      try await trait.provideScope(for: test, testCase: nil) {
        #expect(!comments.all.isEmpty)
        comments.all.append("body")
      }
    } matching: { issue in
      comments.all += issue.comments.map(\.rawValue)
      return true
    }
    #expect(comments.all.count > 1 && comments.all.last == "body")
  }

  @Test func `a fuzzer accepts expected, allowed and known failures`() async throws {
    let kinds = Set(try await fuzzer("Form.stack").run().failures.compactMap(\.violation))
    try await fuzzer("Form.stack", expected: [.lostUpdate], allowed: Array(kinds)).check()
    let error = try await #require(throws: UnexpectedOutcome.self) {
      try await fuzzer("Main.stack", expected: [.lostUpdate]).check()
    }
    #expect(error.failures.isEmpty && error.missing == [.lostUpdate])
    var documented = fuzzer("Form.stack")
    documented.known = "Scenarios"
    let failures = try await documented.run().failures
    let lost = try #require(failures.first { $0.kind == "lost update" })
    #expect(lost.knownFailure?.hasSuffix("form-overwrites-the-view.scenario") == true)
  }

  @Test func `the report of a fuzzer is a function of its values`() async throws {
    var digests: [UInt64] = []
    for seed in [1, 1, 2] as [UInt64] {
      var fuzzer = fuzzer("Form.stack", runs: 20)
      fuzzer.seed = seed
      digests.append(try await fuzzer.run().digest)
    }
    #expect(digests[0] == digests[1] && digests[0] != digests[2])
  }

  /// A new kind must have a member of its name here, too.
  @Test func `each kind of step and of violation has a public member`() {
    #expect(Set(StepKind.allCases.map(\.rawValue)) == Set(StepGenerator.Kind.names))
    #expect(ViolationKind.allCases.map(\.rawValue) == FailureKind.violations.map(\.name))
  }

  @Test func `a fuzzer says which of its values is wrong`() async throws {
    func expect(_ words: String, _ change: (inout Fuzzer) -> Void) async {
      var changed = fuzzer("Main.stack", runs: 1)
      change(&changed)
      let fuzzer = changed
      let error = await #expect(throws: InvalidInput.self) { try await fuzzer.check() }
      #expect("\(error as Any)".contains(words), "\(error as Any)")
    }
    await expect("None.model: no such file") { $0.model = "None.model" }
    await expect("None.stack: no such file") { $0.stack = "None.stack" }
    await expect("runs is 0; it takes a number from 1 to 1,000,000,000") { $0.runs = 0 }
    await expect("runs is 1000000001; it takes") { $0.runs = 1_000_000_001 }
    await expect("steps is -1; it takes a number from 1 to 1,000,000") { $0.steps = -1 }
    await expect("steps is 1000001; it takes") { $0.steps = 1_000_001 }
    await expect("no such file or folder") { $0.known = "nowhere" }
  }
}

@Suite struct `A scenario as a test case` {
  private static let file = Repository.root + "/Fixtures/Example/Tests/NotesTests/x.swift"

  @Test(arguments: try ScenarioCase.all(in: "Scenarios", file: file))
  func `a scenario passes while it tells the truth`(scenario: ScenarioCase) async throws {
    #expect(!scenario.description.contains("/") && !scenario.description.contains("."))
    try await scenario.check()
  }

  @Test func `a broken scenario is reported with its file and line`() async throws {
    let first = try #require(try ScenarioCase.all(in: "Scenarios", file: Self.file).first)
    let text = try String(contentsOfFile: first.path, encoding: .utf8)
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-case-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let broken = folder.appendingPathComponent("broken.scenario")
    try Data(text.replacing("> view  awakeFromInsert", with: "> view  awoke").utf8).write(
      to: broken)
    let scenario = try #require(try ScenarioCase.all(in: folder.path).first)
    let error = await #expect(throws: BrokenScenario.self) { try await scenario.check() }
    #expect(error?.lines.first?.contains("broken.scenario:") == true, "\(error as Any)")
    try FileManager.default.removeItem(at: broken)
    #expect(throws: InvalidInput.self) { try ScenarioCase.all(in: folder.path) }
  }
  @Test func `a kept failure is checked on a stack as it is now`() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-kept-case-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let example = Repository.root + "/Fixtures/Example/Tests/NotesTests"
    var fuzzer = Fuzzer(model: "\(example)/Notes.model", stack: "\(example)/Form.stack", runs: 60)
    fuzzer.onlySteps = [.insert, .set, .fetch, .save]
    let lost = try await fuzzer.run().failures.first { $0.violation == .lostUpdate }
    let kept = folder.appendingPathComponent("lost.scenario")
    let claim = "\nclaims\n  shows  lost update\n"
    try Data((try #require(lost).scenario + claim).utf8).write(to: kept)
    let stack = try String(contentsOfFile: "\(example)/Form.stack", encoding: .utf8)
    // Saves to the store meet a conflict where saves to a parent overwrite.
    let mended = stack.replacing("parent view", with: "coordinator store")
    try Data(mended.utf8).write(to: folder.appendingPathComponent("Mended.stack"))
    let scenario = try #require(try ScenarioCase.all(in: folder.path).first)
    try await scenario.check(stack: folder.path + "/Mended.stack")
    let error = await #expect(throws: BrokenScenario.self) {
      try await scenario.check(stack: "\(example)/Form.stack")
    }
    #expect(error?.lines.first?.hasSuffix("Form.stack still shows lost update") == true)
  }
}

@Suite struct `Warnings of a campaign` {
  private static let example = Repository.root + "/Fixtures/Example/Tests/NotesTests"

  @Test func `a stack that only shows old data passes unless the campaign is strict`() async throws
  {
    var fuzzer = Fuzzer(
      model: "\(Self.example)/Notes.model", stack: "\(Self.example)/Reader.stack", runs: 300)
    let report = try await fuzzer.run()
    #expect(!report.failures.isEmpty)
    #expect(report.failures.allSatisfy { $0.isWarning })
    try await fuzzer.check()
    fuzzer.isStrict = true
    let outcome = await #expect(throws: UnexpectedOutcome.self) { try await fuzzer.check() }
    #expect(outcome?.failures.count == report.failures.count)
  }

  @Test func `the summary of a failure has proof, stack and command`() async throws {
    let fuzzer = Fuzzer(
      model: "\(Self.example)/Notes.model", stack: "\(Self.example)/Form.stack", runs: 60)
    let lost = try await fuzzer.run().failures.first { $0.violation == .lostUpdate }
    let summary = try #require(lost).summary
    for text in ["\nafter step ", "\n  step ", "\nstack: store main; ", "\ncause: ", "replay 0x"] {
      #expect(summary.contains(text), "\(summary)")
    }
  }
}
