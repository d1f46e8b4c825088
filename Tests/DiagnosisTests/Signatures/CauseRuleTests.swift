import Diagnosis
import Execution
import Failures
import InputFiles
import Invariants
import Scenario
import ScenarioChecking
import TestSupport
import Testing
import Vocabulary

/// A small program for each row of `CauseRule.table`. Without its row, every program has another
/// cause.
@Suite struct `A rule of causes` {
  @Test func `each rule of causes has an example`() {
    #expect(Set(CauseExample.all.map(\.rule)) == Set(CauseRule.table.map(\.name)))
  }

  @Test(arguments: CauseExample.all)
  func `a rule of causes decides its example`(example: CauseExample) throws {
    let program = Program(try example.scenario())
    var configuration = RunConfiguration(model: program.model, quirks: example.quirks)
    configuration.checkLevel = .design
    configuration.stack = program.stack
    configuration.bugs = PlantedBugSet(example.bugs)
    configuration.comparesWithReference = false
    let failures = ProgramRunner(configuration).run(program).failures
    let failure = try #require(failures.first { $0.kind == example.kind }, "\(failures)")
    let experiment = Experiment(of: failure, in: program, configuration)
    #expect(experiment.cause == example.cause)
    let others = CauseRule.table.filter { $0.name != example.rule }
    #expect(experiment.cause(by: others) != example.cause)
  }

  /// Without the quirk the hook makes the child's save fail, and the parent reads nothing new.
  @Test func `no quirk is blamed without which a save fails before the failure`() throws {
    let program = Program(
      try ScenarioText.parse(
        """
        scenario  test
        evidence  inferred

        model
          Note
            title  integer? = 12
            stamp  string?
            awakeFromFetch  primitive stamp ?= "s12"

        stack
          store  main
          view  mainQueue coordinator store policy mergeByPropertyObjectTrump
          edit  privateQueue parent view

        steps
          view  insert Note as n
          view  get n.title
          edit  fetch Note
          edit  set n.title 1
          edit  save
          view  get n.title

        claims
          succeeded

        """
      ) { _ in .failure(UnreadableModel(message: "none")) })
    var configuration = RunConfiguration(
      model: program.model, quirks: Profile.current.quirks)
    configuration.checkLevel = .design
    configuration.stack = program.stack
    let failures = ProgramRunner(configuration).run(program).failures
    let failure = try #require(failures.first { $0.kind == "non-repeatable read" })
    let experiment = Experiment(of: failure, in: program, configuration)
    #expect(experiment.cause == .design)
    #expect(experiment.furtherCauses(besides: .design, in: nil).isEmpty)
  }
}

/// A program whose cause is decided by one rule.
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
    /// A stack and steps on it. `mark` is added to the model, and `order` chooses the schedule.
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
