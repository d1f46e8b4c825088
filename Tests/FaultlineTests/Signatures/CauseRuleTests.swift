import Diagnosis
import Execution
import Failures
import InputFiles
import Invariants
import Scenario
import ScenarioChecking
import SimulatedCoreData
import Testing
import Vocabulary

/// Each row of `CauseRule.table` by a small program. Without its row, every program has another
/// cause.
@Suite struct `A rule of causes` {
  @Test func `has one example`() {
    #expect(CauseExample.all.map(\.rule).sorted() == CauseRule.table.map(\.name).sorted())
  }

  @Test(arguments: CauseExample.all) func `decides its example`(example: CauseExample) throws {
    let program = Program(try example.scenario())
    var configuration = RunConfiguration(model: program.model, quirks: example.quirks)
    configuration.checkLevel = .design
    configuration.stack = program.stack
    configuration.bugs = PlantedBugSet(example.bugs)
    configuration.comparesWithReference = false
    let failures = ProgramRunner(configuration).run(program).failures
    let failure = try #require(failures.first { $0.kind == example.kind }, "\(failures)")
    let cause = Experiment(of: failure, in: program, configuration).cause
    #expect(cause == example.cause)
  }
}

/// A program whose cause one rule decides.
struct CauseExample: Sendable, CustomTestStringConvertible {
  let rule: String
  let kind: FailureKind
  let cause: Cause
  let source: Source
  var quirks = Profile.current.quirks
  var bugs: [PlantedBug] = []

  enum Source: Sendable {
    /// A scenario of the project.
    case file(String)
    /// A stack and steps on it; `mark` is added to the model, `order` chooses the schedule.
    case text(stack: String, steps: String, mark: String = "", order: String = "")
  }

  var testDescription: String { rule }

  func scenario() throws -> Scenario {
    switch source {
    case .file(let path):
      return try ScenarioFile.read(path: "\(Repository.root)/Scenarios/\(path).scenario")
    case .text(let stack, let steps, let mark, let order):
      let text = """
        scenario  example
        evidence  inferred\(order)

        model
          Note
            title  string?
            kind  string?\(mark)

        stack
          store  main
        \(stack)

        steps
        \(steps)

        claims
          succeeded

        """
      return try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "none")) }
    }
  }
}
