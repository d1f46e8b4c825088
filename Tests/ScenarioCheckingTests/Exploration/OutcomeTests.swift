import Failures
import Invariants
import Scenario
import ScenarioChecking
import TestSupport
import Testing

@Suite struct `An outcome` {
  /// The kinds include failures of designs. An exploration shows the same kinds as a replay.
  @Test func `the outcome of the first schedule has what a run of the scenario shows`() throws {
    var kinds: [FailureKind] = []
    for (path, scenario) in try Repository.scenarios() where scenario.interleave == .inOrder {
      let run = ScenarioRunner(scenario).run()
      let first = Exploration(ScenarioRunner(scenario), limit: 1).findings.first?.outcome
      #expect(first == run.outcome, "\(path)")
      kinds += run.outcome.violations
    }
    for kind: FailureKind in [
      "wrong-queue access", "unsaved changes discarded", "acknowledged save gone",
      "write skew in the store", "non-repeatable read", "stale list", "main queue blocked",
      "store access on the main queue",
    ] {
      #expect(kinds.contains(kind), "no scenario shows a \(kind)")
    }
  }

  /// Whichever context saves first, the other has read before that save. Its other reads prove
  /// nothing.
  @Test func `all schedules of one order of dependent turns have the same outcome`() throws {
    for program in Programs.all where program.name.contains("units of work") {
      let scenario = try explorable(program.steps, stack: program.stack)
      let skewed = Exploration(ScenarioRunner(scenario)).findings.filter {
        $0.outcome.violations.contains("write skew in the store")
      }
      #expect(!skewed.isEmpty, "\(program.name)")
    }
  }
}

@Suite struct `A limit on turns` {
  @Test func `a limit on turns does not limit the length of a block`() throws {
    let steps = Array(repeating: "fetch Note", count: 700)
    let block = (["  a  perform"] + steps.map { "    " + $0 }).joined(separator: "\n")
    let run = ScenarioRunner(try explorable(block)).run()
    #expect(run.stepCount == 700)
    #expect(run.violations == [])
  }

  @Test func `a limit on turns ends a reaction that sets itself off repeatedly`() throws {
    let (path, scenario) = try #require(
      try Repository.scenarios().first {
        $0.path.hasSuffix("save-that-answers-a-save.scenario")
      })
    let run = ScenarioRunner(scenario).run()
    #expect(run.violations.contains { $0.kind == "endless reaction" }, "\(path)")
    #expect(run.stepCount < 400)
  }
}

@Suite struct `A step that is refused for its queue` {
  @Test func `a step that is refused for its queue shows its violation`() throws {
    var (path, scenario) = try #require(
      try Repository.scenarios().first { $0.path.hasSuffix("/wrong-queue.scenario") })
    let run = ScenarioRunner(scenario).run()
    #expect(run.stepCount == 2, "\(path)")
    #expect(run.violations.map(\.stepNumber) == [2])
    scenario.recordWithViolations(quirks: scenario.quirkSet)
    let transcript = try #require(scenario.items.last?.transcript)
    #expect(transcript.count == 2)
    #expect(transcript[0].contains("failed wrongQueue"))
    #expect(transcript[1] == "after step 2: wrong-queue access")
  }
}

@Suite struct `Choices in a header` {
  private let steps = ["a", "b"].map { block($0, "fetch Note") }.joined(separator: "\n")

  private func problems(_ choices: String) throws -> [String] {
    let header = "interleave  choices\(choices.isEmpty ? "" : " ")\(choices)\n"
    let scenario = try explorable(steps, header: header, claims: "  succeeded")
    return ScenarioCheck(scenario).problems.filter { !$0.isOfTranscript }.map(\.message)
  }

  @Test func `a header may have fewer choices than the run makes`() throws {
    #expect(try problems("") == [])
    #expect(try problems("0 1") == [])
  }

  @Test func `a choice in a header must be a runnable lane`() throws {
    #expect(try problems("9") == ["choice 1 is 9; 2 lanes are runnable, numbered from 0"])
    #expect(try problems("1 2") == ["choice 2 is 2; 2 lanes are runnable, numbered from 0"])
  }

  @Test func `a header must not have more choices than the run makes`() throws {
    let message = try #require(
      try problems(Array(repeating: "0", count: 40).joined(separator: " ")).first)
    #expect(message.hasPrefix("'interleave  choices' lists 40 choices; the run makes only "))
  }
}
